import { statSync } from "node:fs";
import { commands, type ExtensionContext, window, workspace } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { findServer, type ServerCommand } from "./find-server.ts";

/** What the server judges with its unsaved text. */
const FILES = ["qm.config.jsonc", ".env", "SKILL.md", "tool.json"];
const RESTART = "qm-deploy.restart";
const SETTING = "qm-deploy.path";

let client: LanguageClient | undefined;
/** The last change of the client, so that two never run at once. */
let last: Promise<void> = Promise.resolve();

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

async function search(): Promise<ServerCommand | string> {
  const onDisk = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  const configs = await workspace.findFiles("**/qm.config.jsonc", "**/node_modules/**");
  return findServer({
    configured: workspace.getConfiguration().get(SETTING, "").trim(),
    folders: onDisk.map(({ uri }) => uri.fsPath),
    configs: configs.filter(({ scheme }) => scheme === "file").map(({ fsPath }) => fsPath),
    platform: process.platform,
    isFile,
  });
}

async function tellWhatToDo(reason: string): Promise<void> {
  const settings = "Open Setting";
  const restart = "Restart";
  const chosen = await window.showWarningMessage(reason, settings, restart);
  if (chosen === settings) await commands.executeCommand("workbench.action.openSettings", SETTING);
  if (chosen === restart) await commands.executeCommand(RESTART);
}

async function stop(): Promise<void> {
  const old = client;
  client = undefined;
  await old?.dispose();
}

async function startAnew(): Promise<void> {
  await stop();
  const [folder] = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  // The server is a program of the workspace.
  if (!workspace.isTrusted || folder === undefined) return;
  const server = await search();
  if (typeof server === "string") {
    void tellWhatToDo(server);
    return;
  }
  const { command, args, shell } = server;
  const options = { cwd: folder.uri.fsPath, shell };
  client = new LanguageClient(
    "qm-deploy",
    "qm-deploy",
    { command, args, options },
    { documentSelector: FILES.map((name) => ({ scheme: "file", pattern: `**/${name}` })) },
  );
  await client.start();
}

/** Stops the server that runs, and starts the one that the workspace and its settings ask for. */
function restart(): Promise<void> {
  // Why a start failed is told by the client itself.
  last = last.then(startAnew).catch(() => undefined);
  return last;
}

/** Called by VS Code once a workspace has a qm.config.jsonc. */
export async function activate({ subscriptions }: ExtensionContext): Promise<void> {
  subscriptions.push(
    commands.registerCommand(RESTART, restart),
    workspace.onDidGrantWorkspaceTrust(restart),
    workspace.onDidChangeConfiguration((event) => (event.affectsConfiguration(SETTING) ? restart() : undefined)),
  );
  await restart();
}

/** Called by VS Code before it ends. */
export async function deactivate(): Promise<void> {
  await last;
  await stop();
}
