/** The index of the lens: what of which folder is in it and how current that is, and the conflicts of a playset or a mod. */
import { useState } from 'preact/hooks'
import { ask } from '../link/session.ts'
import { type AskedAnswer, toFailure, useAnswer } from '../link/use-answer.ts'
import { useFeed } from '../link/use-feed.ts'
import { Badge } from '../parts/badge.tsx'
import { formatBytes, formatCount, formatDate, formatNumber } from '../parts/format.ts'
import { ACTIONS, type ListColumn, ListTable } from '../parts/list-table.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Answered, Empty, LiveMark } from '../parts/states.tsx'
import { ConflictView } from './lens-conflict.tsx'
import { Conflicts } from './lens-conflicts.tsx'
import type { LensOverview, LensRoot, LensState } from './lens-data.ts'
import type { ViewProps } from './views.tsx'

const COLUMNS: readonly ListColumn[] = [
  ['Folder'],
  ['State'],
  ['Files', 'number'],
  ['Size', 'number extra'],
  ['Symbols', 'number spare'],
  ['References', 'number extra'],
  ['Problems', 'number spare'],
  ACTIONS,
]

export function LensView({ route }: ViewProps) {
  return route.item === undefined ? <Index route={route} /> : <ConflictView key={route.item} route={route} />
}

function Index({ route }: Pick<ViewProps, 'route'>) {
  const asked = useAnswer<LensOverview>('lens', { command: 'overview', params: {} })
  const feed = useFeed(
    { lens: true },
    ({ lens }) => {
      if (lens === undefined) return
      // What `state` of the lens answers with.
      const state = lens as unknown as LensState | null
      if (isNews(asked, state)) asked.again()
      else if (state !== null) asked.change((before) => ({ ...before, state }))
    },
    asked.again,
  )
  return (
    <>
      <PageHead title="Lens">
        <LiveMark state={feed} />
      </PageHead>
      <Answered
        asked={asked}
        show={({ isBuilt, roots, state, playsets }) =>
          isBuilt && roots.length > 0 ? (
            <>
              <Doing state={state} roots={roots} />
              <Roots roots={roots} state={state} again={asked.again} />
              <Conflicts route={route} roots={roots} playsets={playsets} generation={state?.generation ?? 0} />
            </>
          ) : (
            <NothingYet />
          )
        }
      />
    </>
  )
}

/** Counts are read again when something has come into the index, not at every file that goes through the queue. */
function isNews({ answer }: AskedAnswer<LensOverview>, state: LensState | null): boolean {
  if (answer.state !== 'there' || state === null) return false
  const before = answer.value.state
  return before?.generation !== state.generation || before?.build?.state !== state.build?.state
}

function NothingYet() {
  return (
    <Empty title="Nothing is indexed yet">
      <p>A folder is indexed when an agent in it first uses a tool of the lens, or in a terminal:</p>
      <pre>switchboard lens build --in ~/my-project</pre>
    </Empty>
  )
}

function Doing({ state, roots }: { readonly state: LensState | null; readonly roots: readonly LensRoot[] }) {
  const build = state?.build
  const waiting = state === null ? 0 : state.queue.pending + state.queue.running
  const failed = roots.reduce((sum, { about }) => sum + about.failed, 0)
  const stale = roots.reduce((sum, root) => sum + root.stale, 0)
  const isBusy = waiting > 0 || build?.state === 'running'
  const done = build?.files ?? 0
  return (
    <>
      <dl class="facts">
        <div>
          <dt>Index</dt>
          <dd>
            <Badge state={isBusy ? 'starting' : stale > 0 ? 'warn' : 'ready'} text={wordOf(isBusy, stale)} />
          </dd>
        </div>
        <div>
          <dt>Waiting</dt>
          <dd>{waiting === 0 ? 'nothing' : formatNumber(waiting, 'file')}</dd>
        </div>
        <div>
          <dt>Changed since they were read</dt>
          <dd class={stale > 0 ? 'warned' : ''}>{stale === 0 ? 'none' : formatNumber(stale, 'file')}</dd>
        </div>
        <div>
          <dt>Could not be read</dt>
          <dd class={failed > 0 ? 'warned' : ''}>{failed === 0 ? 'none' : formatNumber(failed, 'file')}</dd>
        </div>
        <div>
          <dt>Last build</dt>
          <dd>{build === undefined ? '–' : `${build.state}, ${describeRead(done, build.bytes)}`}</dd>
        </div>
        <div>
          <dt>When</dt>
          <dd>{build === undefined ? '–' : formatDate(build.endedAt ?? build.startedAt)}</dd>
        </div>
      </dl>
      {isBusy ? (
        <progress class="building" max={Math.max(1, done + waiting)} value={done} aria-label="Files that are read" />
      ) : null}
    </>
  )
}

function describeRead(files: number, bytes: number): string {
  return files === 0 ? 'nothing to read' : `${formatNumber(files, 'file')}, ${formatBytes(bytes)}`
}

function wordOf(isBusy: boolean, stale: number): string {
  if (isBusy) return 'building'
  return stale > 0 ? 'not current' : 'current'
}

const COMPLETENESS: Readonly<Record<string, [state: string, text: string]>> = {
  complete: ['ready', 'complete'],
  building: ['starting', 'building'],
  partial: ['warn', 'partial'],
  never_built: ['idle', 'not built'],
}

function Roots({
  roots,
  state,
  again,
}: {
  readonly roots: readonly LensRoot[]
  readonly state: LensState | null
  readonly again: () => void
}) {
  return (
    <ListTable caption="The folders that are indexed" columns={COLUMNS}>
      {roots.map((root) => (
        <Root key={root.root} root={root} watch={state?.watches[root.root]?.state} again={again} />
      ))}
    </ListTable>
  )
}

function Root({
  root,
  watch,
  again,
}: {
  readonly root: LensRoot
  readonly watch: string | undefined
  readonly again: () => void
}) {
  const { path, kind, about, languages, skipped, stale, lookedAt, failed } = root
  const [state, text] = COMPLETENESS[about.completeness] ?? ['info', about.completeness]
  const left = Object.entries(skipped).map(([reason, count]) => `${count} ${reason.replaceAll('_', ' ')}`)
  const notes = [
    languages
      .slice(0, 4)
      .map(({ language, files }) => `${language} ${files}`)
      .join(', '),
    kind === 'layer' ? 'of a playset' : '',
    root.scannedAt === null ? '' : `looked at ${formatDate(root.scannedAt)}`,
    left.length === 0 ? '' : `left out: ${left.join(', ')}`,
  ].filter((note) => note !== '')
  const doubts = [
    stale === 0
      ? ''
      : `${stale} changed since they were read${lookedAt < root.files ? ` (of ${lookedAt} looked at)` : ''}`,
    ...failed.map((one) => `could not be read: ${one.path}: ${one.reason}`),
  ].filter((doubt) => doubt !== '')
  return (
    <tr>
      <th scope="row" class="path">
        {path}
        <p class="note quiet">{notes.join(' · ')}</p>
        {doubts.map((doubt) => (
          <p key={doubt} class="note">
            {doubt}
          </p>
        ))}
      </th>
      <td>
        <Badge state={state} text={text} />
        {watch === undefined ? null : <span class="busy-count"> {watch}</span>}
      </td>
      <td class="number">{formatCount(root.files)}</td>
      <td class="number extra">{formatBytes(root.bytes)}</td>
      <td class="number spare">{formatCount(root.symbols)}</td>
      <td class="number extra">{formatCount(root.refs)}</td>
      <td class={`number spare ${root.problems > 0 ? 'warned' : ''}`}>{formatCount(root.problems)}</td>
      <td class="actions">
        <LookAgainButton path={path} again={again} />
      </td>
    </tr>
  )
}

function LookAgainButton({ path, again }: { readonly path: string; readonly again: () => void }) {
  const [isAsked, setAsked] = useState(false)
  const [problem, setProblem] = useState('')
  const look = async (): Promise<void> => {
    if (isAsked) return
    setAsked(true)
    setProblem('')
    try {
      await ask('lens', { command: 'build', params: { folder: path } })
    } catch (error) {
      setProblem(toFailure(error).message)
    }
    setAsked(false)
    again()
  }
  return (
    <>
      <button
        type="button"
        class="small"
        aria-disabled={isAsked}
        onClick={() => void look()}
        aria-label={`Look again at ${path}`}
      >
        Look again
      </button>
      <output class="told">{problem}</output>
    </>
  )
}
