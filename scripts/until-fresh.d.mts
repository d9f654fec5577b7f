export function untilFresh(how: {
  readonly isFresh: () => boolean;
  readonly build: () => Promise<void>;
  /** Path of a directory that stands while somebody builds. */
  readonly lock: string;
  readonly say: (text: string) => void;
}): Promise<void>;
