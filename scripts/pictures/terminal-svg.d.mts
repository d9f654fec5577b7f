export declare function terminalSvg(
  printed: string,
  about: { readonly title: string; readonly description: string },
): string;
