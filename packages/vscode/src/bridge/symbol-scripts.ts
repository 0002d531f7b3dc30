/** What language servers know: where symbols are, who uses them, and how they are changed everywhere. */
import { BridgeError, type BridgeScript } from '@switchboard/bridge'
import type { JsonObject } from '@switchboard/protocol'
import * as vscode from 'vscode'
import { createNoServer, findSymbol, listSymbols, nameOfKind, openDocument } from './find-symbol.ts'

export const searchSymbols: BridgeScript = async ({ query, mode, path, kinds, limit }) => {
  const found = mode === 'document' ? await symbolsOfFile(String(path), String(query)) : await symbolsOf(String(query))
  const wanted =
    kinds === undefined
      ? undefined
      : new Set(
          String(kinds)
            .toLowerCase()
            .split(',')
            .map((kind) => kind.trim()),
        )
  const kept = found.filter(({ kind }) => wanted === undefined || wanted.has(String(kind)))
  return { symbols: kept.slice(0, Number(limit)), total: kept.length }
}

async function symbolsOfFile(path: string, query: string): Promise<JsonObject[]> {
  const symbols = await listSymbols(await openDocument(path))
  const matching = symbols.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()))
  return matching.map(({ name, kind, position }) => ({ name, kind: nameOfKind(kind), path, line: position.line + 1 }))
}

async function symbolsOf(query: string): Promise<JsonObject[]> {
  const told = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    query,
  )
  return (told ?? []).map(({ name, kind, location, containerName }) => ({
    name,
    kind: nameOfKind(kind),
    path: location.uri.fsPath,
    line: location.range.start.line + 1,
    ...(containerName ? { container: containerName } : {}),
  }))
}

export const navigate: BridgeScript = async (params) => {
  const { uri, name, position } = await findSymbol(params)
  const isReferences = params.action === 'references'
  const command = isReferences ? 'vscode.executeReferenceProvider' : 'vscode.executeImplementationProvider'
  type Told = readonly (vscode.Location | vscode.LocationLink)[] | undefined
  const told = await vscode.commands.executeCommand<Told>(command, uri, position)
  const places = (told ?? []).map((place) =>
    'targetUri' in place ? { uri: place.targetUri, range: place.targetRange } : place,
  )
  const isDeclaration = (place: vscode.Location | { uri: vscode.Uri; range: vscode.Range }): boolean =>
    place.uri.toString() === uri.toString() && place.range.contains(position)
  const kept =
    isReferences && params.includeDeclaration === false ? places.filter((place) => !isDeclaration(place)) : places
  const locations = []
  for (const { uri: at, range } of kept) {
    const place = await describePlace(at, range)
    locations.push(params.enrichWithFlowspaceIds === true ? { ...place, ...(await describeAround(at, range)) } : place)
  }
  return { symbol: name, locations }
}

export const listCalls: BridgeScript = async (params) => {
  const { uri, name, position } = await findSymbol(params)
  const prepared = await vscode.commands.executeCommand<vscode.CallHierarchyItem[] | undefined>(
    'vscode.prepareCallHierarchy',
    uri,
    position,
  )
  const [item] = prepared ?? []
  if (item === undefined) throw createNoServer('calls here')
  const isIncoming = params.direction === 'incoming'
  const told = isIncoming
    ? await vscode.commands.executeCommand<vscode.CallHierarchyIncomingCall[]>('vscode.provideIncomingCalls', item)
    : await vscode.commands.executeCommand<vscode.CallHierarchyOutgoingCall[]>('vscode.provideOutgoingCalls', item)
  const calls = told.map((call) => {
    const other = 'from' in call ? call.from : call.to
    return {
      name: other.name,
      kind: nameOfKind(other.kind),
      path: other.uri.fsPath,
      line: other.selectionRange.start.line + 1,
      calledAt: call.fromRanges.map(({ start }) => start.line + 1),
    }
  })
  return { symbol: name, calls }
}

export const rename: BridgeScript = async (params, signal) => {
  const { uri, name, position } = await findSymbol(params)
  const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit | undefined>(
    'vscode.executeDocumentRenameProvider',
    uri,
    position,
    String(params.newName),
  )
  if (edit === undefined || edit.size === 0) throw new BridgeError('E_OPERATION_FAILED', `"${name}" cannot be renamed`)
  const changes = edit.entries().map(([at, edits]) => ({ path: at.fsPath, edits: edits.length }))
  await apply(edit, signal)
  return { symbol: name, changes }
}

export const replaceMethod: BridgeScript = async (params, signal) => {
  const { uri, name, range } = await findSymbol(params)
  const document = await vscode.workspace.openTextDocument(uri)
  const replacement = String(params.replacement)
  const before = document.getText(range)
  const edit = new vscode.WorkspaceEdit()
  edit.replace(uri, range, replacement)
  if (params.dryRun !== true) await apply(edit, signal)
  const startLine = range.start.line + 1
  return {
    symbol: name,
    applied: params.dryRun !== true,
    path: uri.fsPath,
    startLine,
    endLine: range.end.line + 1,
    before,
  }
}

/** And saved: an agent that reads the file next sees it. All of it, or nothing. */
async function apply(edit: vscode.WorkspaceEdit, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const outside = edit.entries().find(([uri]) => vscode.workspace.getWorkspaceFolder(uri) === undefined)
  if (outside !== undefined) {
    const [{ fsPath }] = outside
    throw new BridgeError('E_OPERATION_FAILED', `It would change ${fsPath}, outside of the folders of this window`, {
      hint: 'Nothing is changed. Only what is in the folders of the window is changed for agents.',
    })
  }
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new BridgeError('E_OPERATION_FAILED', 'VS Code did not apply the change; nothing is changed')
  }
  for (const [uri] of edit.entries()) {
    const document = await vscode.workspace.openTextDocument(uri)
    if (document.isDirty && !(await document.save())) {
      throw new BridgeError('E_FILE_READ_ONLY', `${uri.fsPath} was changed in the editor and cannot be saved`)
    }
  }
}

async function describePlace(uri: vscode.Uri, range: vscode.Range): Promise<JsonObject> {
  const { start } = range
  const document = await vscode.workspace.openTextDocument(uri).then(undefined, () => undefined)
  const text = document === undefined ? '' : document.lineAt(start.line).text.trim().slice(0, 200)
  return { path: uri.fsPath, line: start.line + 1, column: start.character + 1, text }
}

/** The innermost symbol around a place, as its id is made of it; nothing where it is outside of all. */
async function describeAround(uri: vscode.Uri, { start }: vscode.Range): Promise<JsonObject> {
  const symbols = await listSymbols(await vscode.workspace.openTextDocument(uri), { isPatient: false }).catch(() => [])
  const around = symbols.findLast(({ range }) => range.contains(start))
  return around === undefined ? {} : { insideKind: nameOfKind(around.kind), insideName: around.name }
}
