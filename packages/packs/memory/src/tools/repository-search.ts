import type { ToolOutcome } from '@switchboard/toolkit'
import type { RepositorySearchData, RepositorySearchParams } from '../generated/types.ts'
import type { Context } from '../host.ts'
import { CHUNK_KIND } from '../repository/code-items.ts'
import { describeChange, describeState, type IndexState, readIndexState } from '../repository/describe-index.ts'
import { locate } from '../repository/locate.ts'
import { type CodeHit, searchCode } from '../repository/search-code.ts'
import { cutSnippet } from '../repository/snippet.ts'

export async function run(
  { query, path, limit, contentMode }: RepositorySearchParams,
  { host, workspace, signal }: Context,
): Promise<ToolOutcome<RepositorySearchData>> {
  const { project, root, folder } = locate(path, workspace)
  const [code, files] = await Promise.all([host.space('code'), host.space('files')])
  const places = { code, files, finder: host.finder, signal }
  const { hits, gone, note } = await searchCode({ text: query, project, folder, limit }, places)
  const index = await readIndexState(files, project, folder, host.indexer.progressOf(project.scope))
  const results = hits.map((hit) => {
    const snippet = contentMode === 'minimal' ? undefined : cutSnippet(hit.text, query, contentMode)
    return { hit, snippet }
  })
  const data = {
    results: results.map(({ hit, snippet }) => toResult(hit, snippet)),
    root: project.root,
    query,
    limit,
    index: {
      state: index.state,
      files: index.files,
      ...(index.finishedAt === undefined ? {} : { indexedAt: new Date(index.finishedAt).toISOString() }),
    },
    gone: [...gone],
    ...(note === undefined ? {} : { note }),
  }
  const found = results.map(({ hit, snippet }) => describeHit(hit, snippet))
  const nothing = found.length > 0 || index.state === 'none' ? [] : [await explainNothing(code, project.scope, index)]
  const leftOut = gone.length === 0 ? [] : [`Left out, since these files are gone: ${gone.slice(0, 5).join(', ')}.`]
  const state = describeState(index, root, host.clock.wallTime())
  const stale = state === undefined && hits.some(({ isStale }) => isStale) ? describeChange(root) : undefined
  const notes = [...nothing, ...leftOut, ...[state, stale, note].filter((line) => line !== undefined)]
  const heading = found.length === 0 ? [] : [`In ${project.root}:`]
  return { data, text: [...heading, ...found, ...notes].join('\n') }
}

function toResult(
  { path, first, last, symbol, kind, why, matched, score, isStale }: CodeHit,
  snippet: string | undefined,
) {
  return {
    path,
    firstLine: first,
    lastLine: last,
    ...(symbol === undefined ? {} : { symbol }),
    ...(kind === undefined ? {} : { kind }),
    ...(snippet === undefined ? {} : { snippet }),
    why,
    matched,
    score,
    stale: isStale,
  }
}

function describeHit({ path, first, last, symbol, kind, why, isStale }: CodeHit, snippet: string | undefined): string {
  const what = [kind, symbol].filter((part) => part !== undefined).join(' ')
  const stale = isStale ? ', changed since it was indexed' : ''
  const place = `${path.replaceAll('\n', '\\n')}:${first}-${last}${what === '' ? '' : ` ${what}`} (${why}${stale})`
  return snippet === undefined ? place : `${place}\n${snippet.replace(/^/gm, '  ')}`
}

async function explainNothing(
  code: Awaited<ReturnType<Context['host']['space']>>,
  scope: string,
  { state }: IndexState,
): Promise<string> {
  const { total } = await code.list({ scopes: [scope], kinds: [CHUNK_KIND], limit: 1 })
  if (total === 0)
    return state === 'complete'
      ? 'The index is empty: no file of it is text that is not left out.'
      : 'Nothing is indexed yet.'
  return `None of ${total} pieces has any of these words.`
}
