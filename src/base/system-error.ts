/** What the system refuses with, in words, and what to do about it. */
const REFUSALS: { readonly [code: string]: readonly [says: string, help: string] } = {
  EACCES: ["permission is denied", "check its permissions and those of the directories above it"],
  EPERM: ["permission is denied", "check its permissions and those of the directories above it"],
  EMFILE: ["too many files are open", "raise the limit of open files, as `ulimit -n 1024` does"],
  ENFILE: ["too many files are open", "end other programs, or raise the system's limit of open files"],
  ENOSPC: ["no space is left", "make room on the disk"],
  EDQUOT: ["the quota is used up", "make room on the disk"],
  EROFS: ["the file system is read-only", "use a place that can be written"],
  ELOOP: ["links lead round in a circle", "look with `ls -l` where they lead"],
  ENAMETOOLONG: ["a name is too long", "use a shorter path"],
  EISDIR: ["it is a directory", "move it away"],
  ENOTDIR: ["something on the way is no directory", "move that away"],
  ENOENT: ["it is not there", "run it again, if something else took it away meanwhile"],
  EIO: ["the disk did not answer", "look at the health of the disk"],
  ENOMEM: ["no memory is left", "end other programs"],
};

/** What a system call was refused with. */
export interface SystemError {
  /** "EMFILE: too many files are open" */
  readonly says: string;
  readonly help: string;
  /** The call, and what it was about where that is known. */
  readonly syscall: string;
  readonly path: string | null;
}

/** Reads an error of a system call; null for every other, which is a fault of ours. */
export function systemError(error: unknown): SystemError | null {
  const { code, syscall, path } = (typeof error === "object" && error !== null ? error : {}) as {
    readonly [name in "code" | "syscall" | "path"]?: unknown;
  };
  if (typeof code !== "string" || typeof syscall !== "string") return null;
  const [says, help] = (Object.hasOwn(REFUSALS, code) && REFUSALS[code]) || ["it failed", "look at what is there"];
  return { says: `${code}: ${says}`, help, syscall, path: typeof path === "string" ? path : null };
}
