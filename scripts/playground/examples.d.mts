export declare function playgroundExamples(): readonly {
  readonly id: string;
  readonly title: string;
  readonly config: string;
  readonly files: { readonly [path: string]: string };
}[];
