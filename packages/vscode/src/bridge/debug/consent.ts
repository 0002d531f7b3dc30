/** What a person debugs is theirs. They are asked once for a window whether agents may look. */
import * as vscode from 'vscode'

const ALLOW = 'Allow'

export class Consent {
  #isGiven = false

  /** False: refused, or nobody answered before it was over. A refusal holds for the question, not for the next one. */
  async ask(session: string, signal: AbortSignal): Promise<boolean> {
    if (this.#isGiven) return true
    const question = `An agent asks to look at your debug session “${session}”: its place, stack and values. It cannot let it go on.`
    const asked = vscode.window.showInformationMessage(question, ALLOW, 'No')
    const { promise: over, resolve } = Promise.withResolvers<undefined>()
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
    const isAllowed = (await Promise.race([asked, over])) === ALLOW
    this.#isGiven ||= isAllowed
    return isAllowed
  }
}
