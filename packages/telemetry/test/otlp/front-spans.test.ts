/** What a front tells is put beside what the gateway has measured, and only where the two fit. */
import { machineTime } from '@switchboard/base'
import { describe, expect, it } from 'vitest'
import { FrontSpans } from '../../src/otlp/exporter/front-spans.ts'
import { RecordedSpan } from '../../src/otlp/exporter/recorded-span.ts'

const HOST = { keepsContent: false, onEnded: () => {} }

function span(begun: number): RecordedSpan {
  const start = { traceId: 'a'.repeat(32), parentId: undefined, isSampled: true, tracestate: undefined }
  return new RecordedSpan({ ...start, name: 'x', kind: 'server', begun, isParentRemote: false }, HOST)
}

function open() {
  const complete: RecordedSpan[] = []
  const fronts = new FrontSpans((front) => complete.push(front))
  /** By `performance.now()` here, told by the machine's clock. */
  const tell = (id: string | number, begun: number, ended: number, instance = 'tt79-6f854d'): void =>
    fronts.note(instance, { id, begun: machineTime(begun), ended: machineTime(ended) })
  const call = (id: string | number, begun: number) => {
    const gateway = span(begun)
    const front = span(begun)
    fronts.await('tt79-6f854d', id, front, gateway)
    const end = (at: number): void => {
      gateway.end(at)
      fronts.onEnded('tt79-6f854d', id, gateway)
    }
    return { gateway, front, end }
  }
  return { complete, fronts, tell, call }
}

describe('the span of a front', () => {
  it('is complete once both have said when, in either order', () => {
    const { complete, tell, call } = open()
    const first = call(1, 100)
    first.end(120)
    expect(complete).toEqual([])
    tell(1, 99, 121)
    const second = call(2, 200)
    tell(2, 199, 210)
    expect(complete).toHaveLength(1)
    second.end(250)
    expect(complete).toEqual([first.front, second.front])
    expect(first.front.begun).toBeCloseTo(99, 1)
    expect(first.front.ended).toBeCloseTo(121, 1)
  })

  it('has what the gateway found out of the call, and how it failed', () => {
    const { complete, tell, call } = open()
    const { gateway, end } = call('a', 100)
    gateway.rename('tools/call files_read')
    gateway.set({ 'gen_ai.tool.name': 'files_read' })
    gateway.fail('timeout', 'Too slow')
    end(120)
    tell('a', 99, 121)
    expect(complete[0]).toMatchObject({
      name: 'tools/call files_read',
      attributes: { 'gen_ai.tool.name': 'files_read' },
      failure: { code: 'timeout' },
    })
  })

  it('is that of the request that came in meanwhile, where an id is used again', () => {
    const { complete, tell, call } = open()
    const lost = call(1, 100)
    lost.end(110)
    const later = call(1, 200)
    later.end(210)
    tell(1, 199, 211)
    expect(complete).toEqual([later.front])
  })

  it.each([
    ['of another window', (tell: ReturnType<typeof open>['tell']) => tell(1, 99, 121, 'zzzz-000000')],
    ['of another id', (tell: ReturnType<typeof open>['tell']) => tell(2, 99, 121)],
    ['of an id of another type', (tell: ReturnType<typeof open>['tell']) => tell('1', 99, 121)],
    ['of a time that does not fit', (tell: ReturnType<typeof open>['tell']) => tell(1, 500, 600)],
  ])('is not made of what is told %s', (_what, say) => {
    const { complete, tell, call } = open()
    call(1, 100).end(120)
    say(tell)
    expect(complete).toEqual([])
  })

  it('is given up when its front says nothing, and one that is under way is not', () => {
    const { complete, fronts, tell, call } = open()
    call(1, 100).end(120)
    const long = call(2, 100)
    fronts.sweep(1_000_000)
    tell(1, 99, 121)
    expect(complete).toEqual([])
    long.end(1_000_100)
    tell(2, 99, 1_000_101)
    expect(complete).toEqual([long.front])
  })
})
