/** Why a layer image cannot be built or published. Both texts are one line and hold no secret value. */
export class PublishError extends Error {
  override readonly name = "PublishError";
  readonly help: string;

  /** `message` says what is wrong: lower-case start, no full stop. */
  constructor(message: string, help: string) {
    super(message);
    this.help = help;
  }
}
