import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type CodeAction,
  type CompletionItem,
  createMessageConnection,
  type Diagnostic,
  type Hover,
  type Location,
  type MessageConnection,
  type Position,
  type PublishDiagnosticsParams,
  type Range,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { plainEnv, ROOT } from "../cli/built.ts";

const PROGRAM = join(ROOT, "dist/bin/qm-deploy.cjs");

/** What today's editors can do in a workspace. */
const EDITOR = { didChangeWatchedFiles: { dynamicRegistration: true }, workspaceFolders: true };

function folderAt(path: string): { uri: string; name: string } {
  return { uri: pathToFileURL(path).href, name: path };
}

/** A client of the built server, as an editor is one. */
export class LspClient {
  readonly process: ChildProcessWithoutNullStreams;
  readonly #connection: MessageConnection;
  readonly #published = new Map<string, PublishDiagnosticsParams>();
  readonly #waiting = new Set<() => void>();
  readonly #open = new Map<string, TextDocument>();
  readonly #ended: Promise<number | null>;
  /** Everything that was said on stdout and stderr. */
  said = "";

  constructor(cwd: string) {
    this.process = spawn(process.execPath, [PROGRAM, "lsp", "--stdio"], { cwd, env: plainEnv() });
    for (const stream of [this.process.stdout, this.process.stderr])
      stream.on("data", (chunk: Buffer) => (this.said += chunk.toString("utf8")));
    this.#ended = new Promise((done) => this.process.on("close", done));
    this.#connection = createMessageConnection(
      new StreamMessageReader(this.process.stdout),
      new StreamMessageWriter(this.process.stdin),
    );
    this.#connection.onNotification("textDocument/publishDiagnostics", (params: PublishDiagnosticsParams) => {
      this.#published.set(params.uri, params);
      for (const wake of this.#waiting) wake();
    });
    this.#connection.onRequest("client/registerCapability", () => null);
    this.#connection.listen();
  }

  async start(folders: readonly string[], workspace: object = EDITOR): Promise<unknown> {
    const workspaceFolders = folders.map(folderAt);
    const capabilities = { workspace };
    const params = { processId: process.pid, rootUri: null, capabilities, workspaceFolders };
    const answer = await this.#connection.sendRequest("initialize", params);
    await this.#connection.sendNotification("initialized", {});
    return answer;
  }

  async removeFolder(path: string): Promise<void> {
    const event = { added: [], removed: [folderAt(path)] };
    await this.#connection.sendNotification("workspace/didChangeWorkspaceFolders", { event });
  }

  async open(path: string, text: string): Promise<void> {
    const uri = pathToFileURL(path).href;
    this.#open.set(uri, TextDocument.create(uri, "jsonc", 1, text));
    await this.#connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId: "jsonc", version: 1, text },
    });
  }

  text(path: string): string {
    return this.#document(path).getText();
  }

  #document(path: string): TextDocument {
    return this.#open.get(pathToFileURL(path).href) as TextDocument;
  }

  /** Types over a stretch of an open file. */
  async type(path: string, range: Range, text: string): Promise<void> {
    const document = this.#document(path);
    const version = document.version + 1;
    const contentChanges = [{ range, text }];
    this.#open.set(document.uri, TextDocument.update(document, contentChanges, version));
    await this.#connection.sendNotification("textDocument/didChange", {
      textDocument: { uri: document.uri, version },
      contentChanges,
    });
  }

  /** Replaces the first piece of an open file's text that is `old`. */
  async replace(path: string, old: string, text: string): Promise<void> {
    await this.type(path, this.rangeOf(path, old), text);
  }

  async close(path: string): Promise<void> {
    const { uri } = this.#document(path);
    this.#open.delete(uri);
    await this.#connection.sendNotification("textDocument/didClose", { textDocument: { uri } });
  }

  async changedOnDisk(...paths: readonly string[]): Promise<void> {
    const changes = paths.map((path) => ({ uri: pathToFileURL(path).href, type: 2 }));
    await this.#connection.sendNotification("workspace/didChangeWatchedFiles", { changes });
  }

  rangeOf(path: string, piece: string): Range {
    const document = this.#document(path);
    const at = document.getText().indexOf(piece);
    if (at === -1) throw new Error(`no ${piece} in ${path}`);
    return { start: document.positionAt(at), end: document.positionAt(at + piece.length) };
  }

  /** The place in the middle of a piece of an open file. */
  within(path: string, piece: string): Position {
    const document = this.#document(path);
    return document.positionAt(document.offsetAt(this.rangeOf(path, piece).start) + Math.ceil(piece.length / 2));
  }

  /** The text of an open file at a range. */
  textAt(path: string, range: Range): string {
    return this.#document(path).getText(range);
  }

  /** The findings of a file, once they are as wanted. */
  async findings(path: string, isWanted: (found: readonly Diagnostic[]) => boolean): Promise<readonly Diagnostic[]> {
    const uri = pathToFileURL(path).href;
    for (;;) {
      const found = this.#published.get(uri)?.diagnostics;
      if (found !== undefined && isWanted(found)) return found;
      await new Promise<void>((done) => {
        const wake = (): void => {
          this.#waiting.delete(wake);
          done();
        };
        this.#waiting.add(wake);
      });
    }
  }

  actions(path: string, range: Range, only?: readonly string[]): Promise<readonly CodeAction[]> {
    const { uri } = this.#document(path);
    const context = { diagnostics: [], ...(only === undefined ? {} : { only }) };
    return this.#connection.sendRequest("textDocument/codeAction", { textDocument: { uri }, range, context });
  }

  /** Applies the edit of an action, as an editor does. */
  async apply(path: string, action: CodeAction): Promise<void> {
    for (const { range, newText } of action.edit?.changes?.[this.#document(path).uri] ?? [])
      await this.type(path, range, newText);
  }

  async hover(path: string, position: Position): Promise<string> {
    const hover = await this.#request<Hover | null>("hover", path, position);
    return hover === null ? "" : (hover.contents as { readonly value: string }).value;
  }

  definition(path: string, position: Position): Promise<readonly Location[]> {
    return this.#request("definition", path, position);
  }

  completion(path: string, position: Position): Promise<readonly CompletionItem[]> {
    return this.#request("completion", path, position);
  }

  #request<T>(name: string, path: string, position: Position): Promise<T> {
    return this.#connection.sendRequest(`textDocument/${name}`, {
      textDocument: { uri: this.#document(path).uri },
      position,
    });
  }

  /** Ends the server as the protocol says; resolves to its status. */
  async end(): Promise<number | null> {
    await this.#connection.sendRequest("shutdown");
    await this.#connection.sendNotification("exit");
    return this.#ended;
  }

  /** The status, once the process is over for another reason. */
  get ended(): Promise<number | null> {
    return this.#ended;
  }
}
