/**
 * Where a deployment is in its life, as far as its target says: nothing of it runs yet; what runs was made by qm's own `up` and is
 * to be taken over; it runs; or the target cannot be asked.
 */
export type Stage = "before" | "moving-in" | "after" | "unknown";
