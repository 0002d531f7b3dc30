/** From what an agent calls a symbol to where it stands: by its file and its qualified name, as the language server tells them. */
import { BridgeError } from '@switchboard/bridge'
import type { JsonObject } from '@switchboard/protocol'
import * as vscode from 'vscode'

export interface FoundSymbol {
  readonly uri: vscode.Uri
  readonly name: string
  readonly kind: vscode.SymbolKind
  /** All of it. */
  readonly range: vscode.Range
  /** Of its name. */
  readonly position: vscode.Position
}

const MAX_NAMED = 20

export async function openDocument(path: string): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.file(path))
  } catch {
    throw new BridgeError('E_FILE_NOT_FOUND', `VS Code cannot open ${path} as text`)
  }
}

export async function findSymbol({ path, symbol }: JsonObject): Promise<FoundSymbol> {
  const wanted = String(symbol)
  const document = await openDocument(String(path))
  const all = await listSymbols(document)
  const exact = all.filter(({ name }) => name === wanted)
  const found = exact.length > 0 ? exact : all.filter(({ name }) => name.endsWith(`.${wanted}`))
  const [first, second] = found
  if (first === undefined) {
    const names = all.slice(0, MAX_NAMED).map(({ name }) => name)
    throw new BridgeError('E_SYMBOL_NOT_FOUND', `There is no symbol "${wanted}" in that file`, { details: { names } })
  }
  if (second !== undefined) {
    const names = found.slice(0, MAX_NAMED).map(({ name, position }) => `${name} (line ${position.line + 1})`)
    throw new BridgeError('E_AMBIGUOUS_SYMBOL', `${found.length} symbols are called "${wanted}"`, {
      details: { names },
    })
  }
  return first
}

/** With their qualified names, in the order of the file. */
export async function listSymbols({ uri, languageId }: vscode.TextDocument): Promise<FoundSymbol[]> {
  type Told = readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
  const told = await vscode.commands.executeCommand<Told>('vscode.executeDocumentSymbolProvider', uri)
  if (told === undefined) throw createNoServer(languageId)
  // Those with children have a location too, for readers of before there were any.
  return told.flatMap((symbol) => ('children' in symbol ? flatten(uri, symbol, '') : [fromInformation(symbol)]))
}

export function createNoServer(languageId: string): BridgeError {
  return new BridgeError('E_NO_LANGUAGE_SERVER', `No extension of this window knows the symbols of ${languageId}`)
}

function flatten(uri: vscode.Uri, symbol: vscode.DocumentSymbol, container: string): FoundSymbol[] {
  const name = container === '' ? symbol.name : `${container}.${symbol.name}`
  const { kind, range, selectionRange, children } = symbol
  const own = { uri, name, kind, range, position: selectionRange.start }
  return [own, ...children.flatMap((child) => flatten(uri, child, name))]
}

function fromInformation({ name, containerName, kind, location }: vscode.SymbolInformation): FoundSymbol {
  const { uri, range } = location
  return { uri, name: containerName ? `${containerName}.${name}` : name, kind, range, position: range.start }
}

export function nameOfKind(kind: vscode.SymbolKind): string {
  return (vscode.SymbolKind[kind] ?? 'symbol').toLowerCase()
}
