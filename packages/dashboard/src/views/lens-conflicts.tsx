/** What mods of a playset take from each other: the worst first, by filters that stand in the address. */
import { type PageRoute, replaceRoute, toHash } from '../link/route.ts'
import { useAnswer } from '../link/use-answer.ts'
import { Badge } from '../parts/badge.tsx'
import { ChoiceFilter, Filters } from '../parts/filters.tsx'
import { formatCount, formatNumber } from '../parts/format.ts'
import { type ListColumn, ListTable } from '../parts/list-table.tsx'
import { Answered, Empty } from '../parts/states.tsx'
import { CLASS_TEXTS, type ConflictPage, type LensConflict, type LensOverview, toSource } from './lens-data.ts'

const COLUMNS: readonly ListColumn[] = [
  ['What'],
  ['Conflict'],
  ['In effect', 'spare'],
  ['Not in effect', 'extra'],
  ['Certain', 'extra'],
]

const PAGE_ROWS = 50

interface ConflictsProps {
  readonly route: PageRoute
  readonly roots: LensOverview['roots']
  readonly playsets: LensOverview['playsets']
  /** Of the index: another one is asked again, with what is shown left in its place until then. */
  readonly generation: number
}

export function Conflicts({ route, roots, playsets, generation }: ConflictsProps) {
  const mods = roots.filter(({ isMod, kind }) => isMod && kind === 'workspace')
  const sources = [
    ...playsets.map(({ name, isActive }) => [`playset:${name}`, isActive ? `${name} (active)` : name] as const),
    ...mods.map(({ path }) => [`mod:${path}`, path] as const),
  ]
  const first = playsets.find(({ isActive }) => isActive) ?? playsets[0]
  const usual = first === undefined ? sources[0]?.[0] : `playset:${first.name}`
  const of = route.query.of ?? usual
  return (
    <section>
      <h2>Conflicts</h2>
      {of === undefined ? (
        <Empty title="No playset and no mod is known">
          <p>
            Mods for Crusader Kings 3 are compared by playset: their folders in the order in which the game loads them.
            In a terminal:
          </p>
          <pre>switchboard playset add ~/mods/playset.json</pre>
        </Empty>
      ) : (
        <Browser route={route} of={of} sources={sources} generation={generation} />
      )}
    </section>
  )
}

function Browser({
  route,
  of,
  sources,
  generation,
}: {
  readonly route: PageRoute
  readonly of: string
  readonly generation: number
  readonly sources: readonly (readonly [string, string])[]
}) {
  const { class: type = '', folder = '', mod = '', intended = '', page = '0' } = route.query
  const offset = PAGE_ROWS * Math.max(0, Math.trunc(Number(page)) || 0)
  const params = {
    ...{ ...toSource(of), limit: PAGE_ROWS, offset, intended: intended === 'yes' },
    ...{ class: type, folder, mod },
  }
  const asked = useAnswer<ConflictPage>('lens', { command: 'conflicts', params, generation })
  const go = (change: Readonly<Record<string, string>>): void =>
    replaceRoute(toHash('lens', undefined, { ...route.query, page: '', ...change }))
  const choices = (key: string, values: readonly (readonly [string, string])[]) => {
    const given = route.query[key] ?? ''
    const isKnown = given === '' || values.some(([value]) => value === given)
    return [['', 'all'] as const, ...(isKnown ? [] : [[given, given] as const]), ...values]
  }
  const there = asked.answer.state === 'there' ? asked.answer.value : undefined
  return (
    <>
      <Filters label="Filter conflicts">
        <ChoiceFilter
          label="Of"
          value={of}
          choices={sources}
          onChange={(value) => go({ of: value, folder: '', mod: '' })}
        />
        <ChoiceFilter
          label="Class"
          value={type}
          onChange={(value) => go({ class: value })}
          choices={choices(
            'class',
            (there?.report.classes ?? []).map((row) => [
              row.class,
              `${CLASS_TEXTS[row.class] ?? row.class} (${intended === 'yes' ? row.count : row.open})`,
            ]),
          )}
        />
        <ChoiceFilter
          label="Mod"
          value={mod}
          onChange={(value) => go({ mod: value })}
          choices={choices(
            'mod',
            [...new Set(there?.layers)].map((name) => [name, name]),
          )}
        />
        <ChoiceFilter
          label="Folder"
          value={folder}
          onChange={(value) => go({ folder: value })}
          choices={choices(
            'folder',
            (there?.folders ?? []).map((row) => [row.folder, `${row.folder} (${row.count})`]),
          )}
        />
        <ChoiceFilter
          label="Meant so"
          value={intended}
          onChange={(value) => go({ intended: value })}
          choices={[
            ['', 'left out'],
            ['yes', 'shown too'],
          ]}
        />
      </Filters>
      <Answered
        asked={asked}
        show={(found) => <Found found={found} offset={offset} query={{ ...route.query, of }} go={go} />}
      />
    </>
  )
}

function Found({
  found: { report, total, items },
  offset,
  query,
  go,
}: {
  readonly found: ConflictPage
  readonly offset: number
  readonly query: Readonly<Record<string, string>>
  readonly go: (change: Readonly<Record<string, string>>) => void
}) {
  const { lostKeys, agreement, notJudged } = report
  const page = offset / PAGE_ROWS
  const told = [
    total > items.length ? `${offset + 1} to ${offset + items.length} of ${formatCount(total)}` : `${total} found`,
    'the worst first',
    ...(lostKeys === 0 ? [] : [`${formatNumber(lostKeys, 'key')} lost`]),
    ...(agreement === undefined
      ? []
      : [`the game’s own log agrees with ${agreement.agree} and differs from ${agreement.differs}`]),
    ...(notJudged.length === 0 ? [] : [`not judged: ${notJudged.join(', ')}`]),
  ]
  if (items.length === 0) {
    return (
      <Empty title="No conflicts here">
        <p>Nothing of this selection is taken from another. What is meant so can be shown too.</p>
      </Empty>
    )
  }
  return (
    <>
      <p class="summary" aria-live="polite">
        {told.join(', ')}
      </p>
      <ListTable caption="Conflicts, the worst first" columns={COLUMNS}>
        {items.map((item) => (
          <Row key={item.id} item={item} query={query} />
        ))}
      </ListTable>
      {total > items.length ? (
        <div class="buttons">
          <PageButton title="Before" to={page - 1} isThere={page > 0} go={go} />
          <PageButton title="More" to={page + 1} isThere={offset + items.length < total} go={go} />
        </div>
      ) : null}
    </>
  )
}

interface PageButtonProps {
  readonly title: string
  readonly to: number
  readonly isThere: boolean
  readonly go: (change: Readonly<Record<string, string>>) => void
}

function PageButton({ title, to, isThere, go }: PageButtonProps) {
  return (
    <button type="button" aria-disabled={!isThere} onClick={() => isThere && go({ page: String(to) })}>
      {title}
    </button>
  )
}

function Row({ item, query }: { readonly item: LensConflict; readonly query: Readonly<Record<string, string>> }) {
  const { id, kind, name, effective, losers, confidence, difference, lostKeys = [], intended } = item
  const marks = [
    difference === 'identical' ? 'same content' : '',
    lostKeys.length === 0 ? '' : `${formatNumber(lostKeys.length, 'key')} lost`,
    intended ? 'meant so' : '',
  ].filter((mark) => mark !== '')
  return (
    <tr>
      <th scope="row">
        <a href={toHash('lens', String(id), query)}>{name}</a>
        <p class="note quiet">{[kind, ...marks].join(', ')}</p>
      </th>
      <td>
        <Badge state={lostKeys.length > 0 ? 'error' : 'warn'} text={CLASS_TEXTS[item.class] ?? item.class} />
      </td>
      <td class="spare path">{effective ?? 'nothing certain'}</td>
      <td class="extra path quiet">
        {losers[0] ?? '–'}
        {losers.length > 1 ? ` and ${losers.length - 1} more` : ''}
      </td>
      <td class="extra">{confidence}</td>
    </tr>
  )
}
