import type { checkText, renderText } from "../../src/pure.ts";

export declare function pagePicture(): Promise<Buffer>;
export declare function pageInputs(library: {
  readonly checkText: typeof checkText;
  readonly renderText: typeof renderText;
}): string;
