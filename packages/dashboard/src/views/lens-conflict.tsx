/** One conflict: what is in effect and why, how sure that is, who loses, and what differs. */
import { type PageRoute, toHash } from '../link/route.ts'
import { useAnswer } from '../link/use-answer.ts'
import { Badge } from '../parts/badge.tsx'
import { formatBytes } from '../parts/format.ts'
import { type ListColumn, ListTable } from '../parts/list-table.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Answered } from '../parts/states.tsx'
import { TextBlock } from '../parts/text-block.tsx'
import { CLASS_TEXTS, type LensConflict, toSource, type WholeConflict } from './lens-data.ts'

const COLUMNS: readonly ListColumn[] = [['Field'], ['Not in effect'], ['In effect']]

export function ConflictView({ route }: { readonly route: PageRoute }) {
  const { item = '', query } = route
  const params = { ...toSource(query.of ?? ''), id: Number(item) }
  const asked = useAnswer<WholeConflict>('lens', { command: 'conflict', params })
  return (
    <>
      <p class="back">
        <a href={toHash('lens', undefined, query)}>← All conflicts</a>
      </p>
      <PageHead title="One conflict" />
      <Answered asked={asked} show={(whole) => <Whole whole={whole} />} />
    </>
  )
}

function Whole({ whole: { playset, conflict, definitions, moreLosers } }: { readonly whole: WholeConflict }) {
  const { kind, name, why, rule, confidence, difference, intended, lostKeys = [], references = [] } = conflict
  const facts: [string, string][] = [
    ['Kind', kind],
    ['Certain', confidence],
    ['Rule', rule],
    ['Content', difference === undefined ? 'not compared' : difference === 'identical' ? 'the same' : 'differs'],
    ['Meant so', intended ? 'yes' : 'no'],
    ['Playset', playset],
  ]
  return (
    <>
      <h2 class="path">
        {name}{' '}
        <Badge state={lostKeys.length > 0 ? 'error' : 'warn'} text={CLASS_TEXTS[conflict.class] ?? conflict.class} />
      </h2>
      <p class="prose">{why}</p>
      <dl class="facts">
        {facts.map(([title, text]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <Names title="Lost: defined nowhere else now" names={lostKeys} />
      <Names title="Still named by" names={references} />
      <Fields conflict={conflict} />
      <section>
        <h2>Definitions</h2>
        <div class="beside">
          {definitions.map(({ layer, path, line, isEffective, text, left = 0 }, at) => (
            <div key={`${layer} ${path} ${line}`} class={isEffective ? 'definition effective' : 'definition'}>
              <h3>
                <Badge state={isEffective ? 'ok' : 'idle'} text={isEffective ? 'in effect' : 'not in effect'} /> {layer}
              </h3>
              <p class="quiet path">
                {path}
                {line === undefined ? '' : `:${line}`}
              </p>
              {text === undefined ? (
                <p class="quiet">The file cannot be read any more.</p>
              ) : (
                <TextBlock label={`Definition ${at + 1}, of ${layer}`} text={text === '' ? '(empty)' : text} />
              )}
              {left > 0 ? <p class="quiet">{formatBytes(left)} more are in the file.</p> : null}
            </div>
          ))}
        </div>
        {moreLosers > 0 ? <p class="quiet">{moreLosers} more are not in effect.</p> : null}
      </section>
    </>
  )
}

function Names({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      <ul class="names">
        {names.map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </section>
  )
}

const SIGNS = { added: '+', removed: '−', changed: '±' } as const

/** Between the one in effect and the strongest that is not. */
function Fields({ conflict: { fields = [] } }: { readonly conflict: LensConflict }) {
  if (fields.length === 0) return null
  return (
    <section>
      <h2>What differs</h2>
      <ListTable
        caption="Fields of the definition in effect, beside those of the strongest that is not"
        columns={COLUMNS}
        kind="diff"
      >
        {fields.map(({ field, change, loser, effective }) => (
          <tr key={field}>
            <th scope="row">
              <span class={`sign sign-${change}`} aria-hidden="true">
                {SIGNS[change]}
              </span>{' '}
              {field} <span class="unseen">{change}</span>
            </th>
            <td class="code">{loser === undefined ? '–' : <del>{loser}</del>}</td>
            <td class="code">{effective === undefined ? '–' : <ins>{effective}</ins>}</td>
          </tr>
        ))}
      </ListTable>
    </section>
  )
}
