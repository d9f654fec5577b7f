import type { Readable, Writable } from "node:stream";
import { basename, dirname } from "node:path";
import {
  type Connection,
  createConnection,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  ProposedFeatures,
  type TextDocumentPositionParams,
  TextDocuments,
  TextDocumentSyncKind,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { completeConfig, completeEnv } from "../views/complete/completion.ts";
import { CONFIG_NAME, isInside } from "../workspace/paths.ts";
import { completionItems } from "./completion.ts";
import { configDefinition, envDefinition } from "./definition.ts";
import { byFile } from "./diagnostics.ts";
import { ACTION_KINDS, codeActions } from "./fixes.ts";
import { configHover, envHover } from "./hover.ts";
import { type Judged, pathOf, Workspace } from "./workspace.ts";

/** What is typed within this time is judged once. */
const DEBOUNCE_MS = 10;

/** What the language server must be told. */
export interface ServerOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly version: string;
}

/** A language server for deployments, until its client ends it. It then ends the process, as the protocol says. */
export function startServer({ input, output, version }: ServerOptions): void {
  const connection = createConnection(ProposedFeatures.all, input, output);
  new Server(connection, version).listen();
}

/** Where a request is about: the file, the deployment that it belongs to, and the offset in it. */
interface Spot {
  readonly open: TextDocument;
  readonly judged: Judged;
  readonly offset: number;
  readonly isConfig: boolean;
}

class Server {
  readonly #connection: Connection;
  readonly #version: string;
  readonly #documents = new TextDocuments(TextDocument);
  readonly #workspace = new Workspace();
  /** By config: the last verdict, until something changes. */
  readonly #judged = new Map<string, Judged>();
  /** By config: the files that findings were published for. */
  readonly #published = new Map<string, ReadonlySet<string>>();
  readonly #due = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #folders: readonly string[] = [];
  #canWatch = false;
  #canChangeFolders = false;

  constructor(connection: Connection, version: string) {
    this.#connection = connection;
    this.#version = version;
  }

  listen(): void {
    const connection = this.#connection;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(() => this.#start());
    this.#documents.onDidChangeContent(({ document }) => this.#changed(document.uri, document.getText()));
    this.#documents.onDidClose(({ document }) => this.#changed(document.uri, null));
    connection.onDidChangeWatchedFiles(({ changes }) => {
      for (const { uri } of changes) this.#touch(uri);
    });
    connection.onCodeAction(({ textDocument, range, context }) => {
      const spot = this.#spot({ textDocument, position: range.start });
      return spot?.isConfig === true ? codeActions(spot.judged, spot.open, range, context.only) : [];
    });
    connection.onHover((at) =>
      this.#ask(at, null, ({ isConfig, judged, offset }) => (isConfig ? configHover : envHover)(judged, offset)),
    );
    connection.onDefinition((at) =>
      this.#ask(at, [], ({ isConfig, judged, offset }) =>
        (isConfig ? configDefinition : envDefinition)(judged, offset),
      ),
    );
    connection.onCompletion((at) =>
      this.#ask(at, [], ({ isConfig, judged, offset, open }) =>
        judged.deployment === null
          ? []
          : completionItems(open, judged.deployment, offset, isConfig ? completeConfig : completeEnv),
      ),
    );
    this.#documents.listen(connection);
    connection.listen();
  }

  #initialize({ workspaceFolders, capabilities, ...old }: InitializeParams): InitializeResult {
    // Clients of old name one root alone.
    const uris = workspaceFolders?.map(({ uri }) => uri) ?? [
      "rootUri" in old && old.rootUri != null ? old.rootUri : "",
    ];
    this.#folders = uris.flatMap((uri) => pathOf(uri) ?? []);
    this.#canChangeFolders = capabilities.workspace?.workspaceFolders === true;
    this.#canWatch = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    return {
      serverInfo: { name: "qm-deploy", version: this.#version },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
        codeActionProvider: { codeActionKinds: [...ACTION_KINDS] },
        hoverProvider: true,
        definitionProvider: true,
        completionProvider: { triggerCharacters: ['"', ":", " "] },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  }

  #start(): void {
    if (this.#canWatch) {
      const globs = [CONFIG_NAME, ".env", "package.json", "sandbox/**", "plugins/**"];
      const watchers = globs.map((glob) => ({ globPattern: `**/${glob}` }));
      void this.#connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
    }
    this.#search(this.#folders);
    // For any other client the library throws.
    if (this.#canChangeFolders) {
      this.#connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        for (const { uri } of removed) this.#leave(pathOf(uri));
        this.#search(added.flatMap(({ uri }) => pathOf(uri) ?? []));
      });
    }
  }

  #search(folders: readonly string[]): void {
    for (const config of this.#workspace.configsBelow(folders)) this.#judgeSoon(config);
  }

  /** Takes back what was said of a folder that is not open any more, but for the files of it that are. */
  #leave(folder: string | null): void {
    for (const [config, files] of this.#published) {
      if (folder === null || !isInside(config, folder) || this.#workspace.unsaved.has(config)) continue;
      for (const uri of files) void this.#connection.sendDiagnostics({ uri, diagnostics: [] });
      this.#published.delete(config);
      this.#due.delete(config);
    }
  }

  /** A text that an editor holds from now on; null where it gave it up. */
  #changed(uri: string, text: string | null): void {
    const path = pathOf(uri);
    if (path === null) return;
    if (text === null) this.#workspace.unsaved.delete(path);
    else this.#workspace.unsaved.set(path, text);
    this.#touch(uri);
  }

  /** Something about a file is not as it was: every deployment that may read it is judged again. */
  #touch(uri: string): void {
    const path = pathOf(uri);
    if (path === null) return;
    const config = this.#workspace.configOf(path);
    if (config !== null) this.#judgeSoon(config);
    // What pins the release of deployments below, or was a part of one whose config is gone.
    for (const known of this.#published.keys())
      if (known.startsWith(dirname(path)) && (basename(path) === "package.json" || basename(path) === CONFIG_NAME))
        this.#judgeSoon(known);
  }

  #judgeSoon(config: string): void {
    this.#judged.delete(config);
    this.#due.add(config);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#judgeNext(), DEBOUNCE_MS);
  }

  /** Judges one deployment, and lets requests in before the next. */
  #judgeNext(): void {
    const [config] = this.#due;
    if (config === undefined) return;
    this.#due.delete(config);
    this.#publish(config);
    if (this.#due.size > 0) this.#timer = setTimeout(() => this.#judgeNext(), 0);
  }

  #publish(config: string): void {
    const before = this.#published.get(config) ?? new Set<string>();
    const judged = this.#workspace.isThere(config) ? this.#verdict(config) : null;
    const files = judged === null ? new Map<string, never[]>() : byFile(judged);
    for (const uri of before) if (!files.has(uri)) void this.#connection.sendDiagnostics({ uri, diagnostics: [] });
    for (const [uri, diagnostics] of files) {
      const version = this.#documents.get(uri)?.version;
      void this.#connection.sendDiagnostics({ uri, diagnostics, ...(version === undefined ? {} : { version }) });
    }
    if (judged === null) this.#published.delete(config);
    else this.#published.set(config, new Set(files.keys()));
  }

  #verdict(config: string): Judged {
    const known = this.#judged.get(config);
    if (known !== undefined) return known;
    const judged = this.#workspace.judge(config);
    this.#judged.set(config, judged);
    return judged;
  }

  #spot({ textDocument: { uri }, position }: TextDocumentPositionParams): Spot | null {
    const path = pathOf(uri);
    const open = this.#documents.get(uri);
    const config = path === null ? null : this.#workspace.configOf(path);
    if (path === null || open === undefined || config === null) return null;
    const isConfig = path === config;
    if (!isConfig && basename(path) !== ".env") return null;
    return { open, judged: this.#verdict(config), offset: open.offsetAt(position), isConfig };
  }

  #ask<T>(at: TextDocumentPositionParams, otherwise: T, answer: (spot: Spot) => T): T {
    const spot = this.#spot(at);
    return spot === null ? otherwise : answer(spot);
  }
}
