/** What agents remember, of every project: searched, opened, deleted. */
import { useEffect, useState } from 'preact/hooks'
import { replaceRoute, toHash } from '../link/route.ts'
import { ask } from '../link/session.ts'
import { toFailure, useAnswer } from '../link/use-answer.ts'
import { ChoiceFilter, Filters, TextFilter } from '../parts/filters.tsx'
import { formatDate } from '../parts/format.ts'
import { type ListColumn, ListTable } from '../parts/list-table.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Answered, Empty } from '../parts/states.tsx'
import { TextBlock } from '../parts/text-block.tsx'
import type { ViewProps } from './views.tsx'

const COLUMNS: readonly ListColumn[] = [['What'], ['Kind'], ['Project', 'extra'], ['Changed', 'extra']]

interface Item {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly project?: string | null
  readonly tags?: readonly string[]
  readonly updatedAt: string
}

interface WholeItem extends Item {
  readonly text: string
  readonly data?: unknown
}

const TYPING_MS = 300
const MOST_ROWS = 100
const KINDS = [
  ['', 'all'],
  ['checkpoint', 'checkpoints'],
  ['remediation', 'remediations'],
  ['skill', 'skills'],
] as const

export function MemoryView({ route }: ViewProps) {
  return route.item === undefined ? <MemoryList route={route} /> : <MemoryItem key={route.item} id={route.item} />
}

function MemoryList({ route }: Pick<ViewProps, 'route'>) {
  const { query = '', kind = '' } = route.query
  const [text, setText] = useState(query)
  useEffect(() => {
    const timer = setTimeout(() => setText(query), TYPING_MS)
    return () => clearTimeout(timer)
  }, [query])
  const filter = (name: string) => (value: string) =>
    replaceRoute(toHash('memory', undefined, { ...route.query, [name]: value }))
  return (
    <>
      <PageHead title="Memory" />
      <Filters label="Search the memory">
        <TextFilter label="Search" value={query} onChange={filter('query')} placeholder="connection refused" />
        <ChoiceFilter label="Kind" value={kind} onChange={filter('kind')} choices={KINDS} />
      </Filters>
      <Items key={`${text} ${kind}`} query={text} kind={kind} />
    </>
  )
}

function Items({ query, kind }: { readonly query: string; readonly kind: string }) {
  const params = { limit: MOST_ROWS, ...(kind === '' ? {} : { kinds: [kind] }), ...(query === '' ? {} : { query }) }
  const asked = useAnswer<{ items: readonly Item[]; total?: number }>('memory', {
    command: query === '' ? 'list' : 'search',
    params,
  })
  return (
    <Answered
      asked={asked}
      show={({ items, total }) => {
        if (items.length === 0 && query === '') {
          return (
            <Empty title="Nothing is remembered yet">
              <p>What agents save with the tools of the memory pack is kept here, by project.</p>
            </Empty>
          )
        }
        if (items.length === 0) return <Empty title="Nothing that is remembered fits" />
        return (
          <>
            <p class="summary">
              {total === undefined ? `${items.length} found, the best first` : `${total} remembered, the newest first`}
            </p>
            <ListTable caption="What is remembered" columns={COLUMNS}>
              {items.map((item) => (
                <tr key={item.id}>
                  <th scope="row">
                    <a href={toHash('memory', item.id)}>{item.title === '' ? item.id : item.title}</a>
                  </th>
                  <td class="quiet">{item.kind}</td>
                  <td class="extra quiet path">{item.project ?? 'shared'}</td>
                  <td class="extra quiet">{formatDate(item.updatedAt)}</td>
                </tr>
              ))}
            </ListTable>
          </>
        )
      }}
    />
  )
}

function MemoryItem({ id }: { readonly id: string }) {
  const asked = useAnswer<{ item: WholeItem }>('memory', { command: 'show', params: { id } })
  return (
    <>
      <p class="back">
        <a href={toHash('memory')}>← All of the memory</a>
      </p>
      <PageHead title="What is remembered" />
      <Answered
        asked={asked}
        show={({ item }) => (
          <>
            <h2>{item.title}</h2>
            <dl class="facts">
              <div>
                <dt>Kind</dt>
                <dd>{item.kind}</dd>
              </div>
              <div>
                <dt>Project</dt>
                <dd class="path">{item.project ?? 'shared by all'}</dd>
              </div>
              <div>
                <dt>Changed</dt>
                <dd>{formatDate(item.updatedAt)}</dd>
              </div>
              <div>
                <dt>Tags</dt>
                <dd>{item.tags === undefined || item.tags.length === 0 ? '–' : item.tags.join(', ')}</dd>
              </div>
              <div class="wide">
                <dt>Id</dt>
                <dd>
                  <code>{item.id}</code>
                </dd>
              </div>
            </dl>
            <TextBlock label="Text" text={item.text} />
            {item.data === undefined ? null : (
              <details open>
                <summary>All that is kept of it</summary>
                <TextBlock label="All that is kept" text={JSON.stringify(item.data, undefined, 2)} />
              </details>
            )}
            <DeleteButton item={item} />
          </>
        )}
      />
    </>
  )
}

/** Asked twice: what is deleted is gone for good. */
function DeleteButton({ item: { id, kind } }: { readonly item: WholeItem }) {
  const [isSure, setSure] = useState(false)
  const [problem, setProblem] = useState('')
  const remove = async (): Promise<void> => {
    try {
      await ask('memory', { command: 'delete', params: { ids: [id] } })
      location.hash = toHash('memory')
    } catch (error) {
      setProblem(toFailure(error).message)
    }
  }
  // The first button is one in both states: it keeps the focus of whoever uses the keyboard, and pressed twice it changes nothing.
  return (
    <div class="buttons">
      <button type="button" onClick={() => setSure(!isSure)}>
        {isSure ? 'Keep it' : 'Delete …'}
      </button>
      {isSure ? (
        <>
          <button type="button" class="danger" onClick={() => void remove()}>
            Delete it for good
          </button>
          <span class="quiet">{kind === 'skill' ? 'A skill goes with its history.' : ''}</span>
        </>
      ) : null}
      <output class="problem">{problem}</output>
    </div>
  )
}
