export declare function serveFolder(
  folder: string,
  port?: number,
): Promise<{ readonly address: string; readonly close: () => Promise<void> }>;
