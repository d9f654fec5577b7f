/** The extension for VS Code with stand-ins for the editor and for the client, which is Microsoft's. */
import { join } from "node:path";
import { build } from "rolldown";
import { beforeEach, expect, test } from "vitest";
import { ROOT } from "../cli/built.ts";
import { tempDirectory } from "../workspace/temp.ts";

interface Extension {
  activate(context: { readonly subscriptions: unknown[] }): Promise<void>;
  deactivate(): Promise<void>;
}

const { output } = await build({
  input: join(ROOT, "editors/vscode/src/extension.ts"),
  platform: "node",
  external: ["vscode", "vscode-languageclient/node"],
  logLevel: "warn",
  write: false,
  output: { format: "cjs", codeSplitting: false },
});
const CODE = output[0].code;

/** Everything that the extension did, in its order. */
let did: unknown[];
let root: string;

beforeEach(() => {
  did = [];
});

class LanguageClient {
  readonly server: { readonly command: string; readonly args: readonly string[] };

  constructor(_id: string, _name: string, server: { command: string; args: string[] }) {
    this.server = server;
  }

  start(): Promise<void> {
    did.push(["start", this.server.command.replace(root, ""), ...this.server.args]);
    return Promise.resolve();
  }

  dispose(): Promise<void> {
    did.push(["dispose", this.server.command.replace(root, "")]);
    return Promise.resolve();
  }
}

/** An editor that has one folder open; what happens in it is what the test calls. */
class Editor {
  isTrusted = true;
  path = "";
  /** The button that is pressed where a message has one. */
  button: string | undefined;
  readonly #commands = new Map<string, () => Promise<void>>();
  readonly #listeners = new Map<string, (event: unknown) => unknown>();

  fire(event: string): unknown {
    return this.#listeners.get(event)?.({ affectsConfiguration: (name: string) => name === "qm-deploy.path" });
  }

  async run(command: string): Promise<void> {
    did.push(["command", command]);
    await this.#commands.get(command)?.();
  }

  get module(): object {
    const isTrusted = () => this.isTrusted;
    const listen = (event: string) => (listener: (event: unknown) => unknown) => {
      this.#listeners.set(event, listener);
    };
    return {
      commands: {
        registerCommand: (name: string, run: () => Promise<void>) => void this.#commands.set(name, run),
        executeCommand: (name: string) => this.run(name),
      },
      window: {
        showWarningMessage: (text: string) => {
          did.push(["warning", text.slice(0, 26)]);
          const pressed = this.button;
          this.button = undefined;
          return Promise.resolve(pressed);
        },
      },
      workspace: {
        get isTrusted() {
          return isTrusted();
        },
        workspaceFolders: [{ uri: { scheme: "file", fsPath: root } }],
        findFiles: () => Promise.resolve([{ scheme: "file", fsPath: join(root, "deploy/qm.config.jsonc") }]),
        getConfiguration: () => ({ get: () => this.path }),
        onDidGrantWorkspaceTrust: listen("trust"),
        onDidChangeConfiguration: listen("setting"),
      },
    };
  }

  load(): Extension {
    const modules: { readonly [name: string]: object | undefined } = {
      vscode: this.module,
      "vscode-languageclient/node": { LanguageClient },
    };
    const exports = {};
    const load = (name: string) => modules[name] ?? process.getBuiltinModule(name);
    new Function("require", "exports", "module", CODE)(load, exports, { exports });
    return exports as Extension;
  }
}

const INSTALLED = "deploy/node_modules/.bin/qm-deploy";

test("it starts what is installed, changes to what the setting names, and stops it in the end", async () => {
  root = tempDirectory({ [INSTALLED]: "", "tools/qm-deploy": "" });
  const editor = new Editor();
  const extension = editor.load();
  await extension.activate({ subscriptions: [] });
  editor.path = " tools/qm-deploy ";
  await editor.fire("setting");
  await extension.deactivate();
  expect(did).toEqual([
    ["start", `/${INSTALLED}`, "lsp", "--stdio"],
    ["dispose", `/${INSTALLED}`],
    ["start", "/tools/qm-deploy", "lsp", "--stdio"],
    ["dispose", "/tools/qm-deploy"],
  ]);
});

test("it starts nothing before the workspace is trusted, whatever is asked", async () => {
  root = tempDirectory({ [INSTALLED]: "" });
  const editor = new Editor();
  editor.isTrusted = false;
  await editor.load().activate({ subscriptions: [] });
  await editor.fire("setting");
  await editor.run("qm-deploy.restart");
  expect(did).toEqual([["command", "qm-deploy.restart"]]);
  editor.isTrusted = true;
  await editor.fire("trust");
  expect(did.slice(1)).toEqual([["start", `/${INSTALLED}`, "lsp", "--stdio"]]);
});

test("where nothing is installed it says so, with a button for the setting", async () => {
  root = tempDirectory();
  const editor = new Editor();
  editor.button = "Open Setting";
  await editor.load().activate({ subscriptions: [] });
  await Promise.resolve();
  expect(did).toEqual([
    ["warning", "qm-deploy is not installed"],
    ["command", "workbench.action.openSettings"],
  ]);
});

test("changes that come at once are made one after the other, and leave one server", async () => {
  root = tempDirectory({ [INSTALLED]: "" });
  const editor = new Editor();
  const extension = editor.load();
  await Promise.all([extension.activate({ subscriptions: [] }), editor.fire("setting"), editor.fire("trust")]);
  await extension.deactivate();
  expect(did.map((one) => (one as string[])[0])).toEqual(["start", "dispose", "start", "dispose", "start", "dispose"]);
});
