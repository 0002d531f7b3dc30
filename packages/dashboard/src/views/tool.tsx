/** One tool: what it says of itself, a form for its arguments, and what it answered. */
import type { DashboardCallAnswer, DashboardTool } from '@switchboard/daemon/client'
import { useRef, useState } from 'preact/hooks'
import { SchemaForm } from '../form/schema-form.tsx'
import { toHash } from '../link/route.ts'
import { ask } from '../link/session.ts'
import { toFailure, useAnswer } from '../link/use-answer.ts'
import { Badge } from '../parts/badge.tsx'
import { formatBytes, formatMs, formatTokens } from '../parts/format.ts'
import { Marked } from '../parts/marked.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Answered } from '../parts/states.tsx'
import { TextBlock } from '../parts/text-block.tsx'

export function ToolView({ name }: { readonly name: string }) {
  const asked = useAnswer<{ tool: DashboardTool }>('tool', { name })
  return (
    <>
      <p class="back">
        <a href={toHash('tools')}>← All tools</a>
      </p>
      <PageHead title={name} />
      <Answered asked={asked} show={({ tool }) => <Tool tool={tool} />} />
    </>
  )
}

function Tool({ tool }: { readonly tool: DashboardTool }) {
  const { name, title, server, description, tokens, schema, schemaBytes } = tool
  const [answer, setAnswer] = useState<DashboardCallAnswer | undefined>()
  const [isRunning, setRunning] = useState(false)
  const stop = useRef(new AbortController())
  const call = async (args: object): Promise<void> => {
    stop.current = new AbortController()
    setRunning(true)
    setAnswer(undefined)
    try {
      setAnswer(await ask<DashboardCallAnswer>('call', { tool: name, arguments: args }, stop.current.signal))
    } catch (error) {
      const { code, message, hint } = toFailure(error)
      const cancelled = { code: 'cancelled', message: 'You cancelled the call', hint: '' }
      setAnswer({ durationMs: 0, error: stop.current.signal.aborted ? cancelled : { code, message, hint } })
    }
    setRunning(false)
  }
  return (
    <>
      <p class="summary">
        {title === undefined ? '' : `${title}, `}of <a href={toHash('servers', server)}>{server}</a>, about{' '}
        {formatTokens(tokens)} tokens in a list
      </p>
      {description === '' ? <p class="quiet">It says nothing of itself.</p> : <Description text={description} />}
      <section>
        <h2>Call it</h2>
        {schema === undefined ? (
          <p class="note">
            Its schema has {formatBytes(schemaBytes)}, too much for a form: write the arguments as JSON.
          </p>
        ) : null}
        <SchemaForm
          schema={schema}
          isRunning={isRunning}
          onCall={(args) => void call(args)}
          onCancel={() => stop.current.abort()}
        />
      </section>
      <section aria-live="polite">
        {isRunning ? <p class="quiet">Calling …</p> : null}
        {answer === undefined ? null : <CallAnswer answer={answer} />}
      </section>
    </>
  )
}

/** A long one is folded: the form is what people come for. */
const MOST_UNFOLDED = 1_200

function Description({ text }: { readonly text: string }) {
  if (text.length <= MOST_UNFOLDED) return <p class="prose">{text}</p>
  return (
    <>
      <p class="prose">{text.slice(0, MOST_UNFOLDED)} …</p>
      <details>
        <summary>All of it</summary>
        <TextBlock label="The whole description" text={text} />
      </details>
    </>
  )
}

function CallAnswer({ answer }: { readonly answer: DashboardCallAnswer }) {
  const { durationMs, error, isError, texts = [], pictures = [], result } = answer
  const outcome = error !== undefined ? 'error' : isError === true ? 'tool_error' : 'ok'
  return (
    <>
      <h2>
        Answer <Badge state={outcome} text={error?.code ?? outcome} /> <span class="aside">{formatMs(durationMs)}</span>
      </h2>
      {error === undefined ? null : (
        <div class="failure">
          <p>
            <strong>{error.message}</strong>
          </p>
          {error.hint === '' ? null : (
            <p>
              <Marked text={error.hint} />
            </p>
          )}
        </div>
      )}
      {texts.map((text, at) => (
        <TextBlock key={at} label={`Text ${at + 1} of the answer`} text={text} />
      ))}
      {pictures.map(({ dataUrl }, at) => (
        <img key={at} class="picture" src={dataUrl} alt={`What the tool shows, ${at + 1}`} />
      ))}
      {result === undefined ? null : (
        <details open={texts.length + pictures.length === 0}>
          <summary>The whole result</summary>
          <TextBlock label="The whole result" text={result} />
        </details>
      )}
    </>
  )
}
