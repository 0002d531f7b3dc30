/** Draws rows in a tree of VS Code, and reads them anew only while somebody looks. */
import * as vscode from 'vscode'
import type { ViewRow } from './row.ts'

export class RowsView implements vscode.TreeDataProvider<ViewRow>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>()
  readonly #read: () => readonly ViewRow[] | Promise<readonly ViewRow[]>
  readonly #tree: vscode.TreeView<ViewRow>
  #isOld = false

  constructor(id: string, read: () => readonly ViewRow[] | Promise<readonly ViewRow[]>) {
    this.#read = read
    this.#tree = vscode.window.createTreeView(id, { treeDataProvider: this })
    this.#tree.onDidChangeVisibility(({ visible }) => {
      if (visible && this.#isOld) this.refresh()
    })
  }

  get onDidChangeTreeData(): vscode.Event<void> {
    return this.#changed.event
  }

  refresh(): void {
    this.#isOld = !this.#tree.visible
    if (!this.#isOld) this.#changed.fire()
  }

  async getChildren(row?: ViewRow): Promise<ViewRow[]> {
    return [...(row === undefined ? await this.#read() : (row.children ?? []))]
  }

  getTreeItem(row: ViewRow): vscode.TreeItem {
    const { Collapsed: _collapsed, Expanded, None } = vscode.TreeItemCollapsibleState
    const item = new vscode.TreeItem(row.label, row.children === undefined ? None : Expanded)
    item.id = row.id
    if (row.description !== undefined) item.description = row.description
    if (row.tooltip !== undefined) item.tooltip = row.tooltip
    if (row.kind !== undefined) item.contextValue = row.kind
    if (row.icon !== undefined) {
      item.iconPath = new vscode.ThemeIcon(
        row.icon,
        row.color === undefined ? undefined : new vscode.ThemeColor(row.color),
      )
    }
    if (row.command !== undefined) {
      item.command = { command: row.command.id, title: row.command.title, arguments: [row] }
    }
    return item
  }

  dispose(): void {
    this.#tree.dispose()
    this.#changed.dispose()
  }
}
