/** What of a server waits for a person: what changed, line by line, and a button that lets it in. */
import type { ServerTrust, WaitingReport } from '@switchboard/daemon/client'
import { useEffect, useState } from 'preact/hooks'
import { type AskFailure, ask } from '../link/session.ts'
import { toFailure, useAnswer } from '../link/use-answer.ts'
import { Badge } from './badge.tsx'
import { Answered, Failure } from './states.tsx'

/** `told`: what its row says of it; undefined: nothing, and nothing is asked. */
export function TrustSection({ server, told }: { readonly server: string; readonly told: string | undefined }) {
  return told === undefined ? null : <Waiting server={server} told={told} />
}

function Waiting({ server, told }: { readonly server: string; readonly told: string }) {
  const asked = useAnswer<{ trust: ServerTrust }>('trust', { server })
  const { again } = asked
  // What it says of itself is another thing than when it was asked.
  useEffect(() => again(), [again, told])
  return (
    <section aria-label="Held back">
      <h2>What waits for you</h2>
      <Answered asked={asked} show={({ trust }) => <Trust trust={trust} again={again} />} />
    </section>
  )
}

function Trust({ trust, again }: { readonly trust: ServerTrust; readonly again: () => void }) {
  const { server, waiting, remarks } = trust
  const [failure, setFailure] = useState<AskFailure>()
  const accept = async (): Promise<void> => {
    try {
      // What was shown, and nothing that changed since.
      await ask('trust_accept', { server, hashes: waiting.map(({ hash }) => hash) })
      setFailure(undefined)
    } catch (error) {
      setFailure(toFailure(error))
    }
    again()
  }
  if (waiting.length + remarks.length === 0) return <p class="quiet">Nothing any more.</p>
  return (
    <>
      {remarks.map(({ id, name, text }) => (
        <p key={id} class="notice">
          <strong>{name === '' ? server : name}</strong>: {text}
        </p>
      ))}
      {waiting.map((one) => (
        <Definition key={`${one.kind} ${one.name}`} waiting={one} />
      ))}
      {failure === undefined ? null : <Failure failure={failure} />}
      <p>
        <button type="button" onClick={() => void accept()}>
          Accept {describe(trust)} of {server}
        </button>{' '}
        <span class="quiet">
          or <code>switchboard trust accept {server}</code>
        </span>
      </p>
    </>
  )
}

function describe({ waiting, remarks }: ServerTrust): string {
  const parts = [
    ...(waiting.length === 0 ? [] : [`${waiting.length} ${waiting.length === 1 ? 'definition' : 'definitions'}`]),
    ...(remarks.length === 0 ? [] : [`${remarks.length} ${remarks.length === 1 ? 'remark' : 'remarks'}`]),
  ]
  return parts.join(' and ')
}

const SIGNS = { same: '  ', removed: '− ', added: '+ ', gap: '… ' } as const

function Definition({ waiting }: { readonly waiting: WaitingReport }) {
  const { kind, name, reasons, isHeld, diff = [] } = waiting
  const title = kind === 'instructions' ? 'What it says of itself' : name
  return (
    <div class="definition">
      <h3>
        {title} <Badge state={isHeld ? 'error' : 'warn'} text={isHeld ? 'held back' : 'shown all the same'} />
      </h3>
      <p class="quiet">{reasons.join(' and ')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
      <section class="block" tabIndex={0} aria-label={`What changed in ${title}`}>
        <pre class="lines diff">
          {diff.map(({ kind: change, text }, at) => (
            <DiffLine key={`${at} ${text}`} change={change} text={`${SIGNS[change]}${text}\n`} />
          ))}
        </pre>
      </section>
    </div>
  )
}

function DiffLine({ change, text }: { readonly change: keyof typeof SIGNS; readonly text: string }) {
  if (change === 'added') return <ins>{text}</ins>
  return change === 'removed' ? <del>{text}</del> : <span>{text}</span>
}
