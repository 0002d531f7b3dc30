import * as vscode from 'vscode'
import { describeStatus, type StatusLook } from './describe-status.ts'

export class StatusBar implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('switchboard.status', vscode.StatusBarAlignment.Left, 0)

  constructor() {
    this.#item.name = 'Switchboard'
    this.#item.command = 'switchboard.window.focus'
    this.#item.show()
  }

  update(look: StatusLook): void {
    const { text, tooltip, isWarning } = describeStatus(look)
    this.#item.text = text
    this.#item.tooltip = tooltip
    this.#item.backgroundColor = isWarning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined
  }

  dispose(): void {
    this.#item.dispose()
  }
}
