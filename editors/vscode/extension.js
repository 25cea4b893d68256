// Starts `irglc lsp` for the files of graph programs.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const command = vscode.workspace.getConfiguration("irgl").get("command");
  const documentSelector = ["irgl", "graphit", "falcon-dsl", "python"].map((language) => ({ scheme: "file", language }));
  client = new LanguageClient("irgl", "IrGL", { command, args: ["lsp"] }, { documentSelector });
  return client.start();
};

exports.deactivate = () => client && client.stop();
