export function makeTree(folder: string): Promise<void>;
