/** Makes the tree of the gate in a folder, from what was built. */
export function makeTree(folder: string): Promise<void>;
