import { FakeClock } from '@switchboard/testkit'
import type { SupervisionPolicy } from '../../src/supervision/policy.ts'
import type { Failure, SupervisorState } from '../../src/supervision/supervision.ts'
import { type OutwardEffect, Supervisor } from '../../src/supervision/supervisor.ts'

export const EXIT: Failure = { reason: 'transport-exit', message: 'exited with code 1', exitCode: 1 }

/** A supervisor whose hands only write down what they are told, and when. */
export function createRecordedSupervisor(policy: SupervisionPolicy) {
  const clock = new FakeClock()
  const performed: { at: number; effect: OutwardEffect }[] = []
  const states: SupervisorState['kind'][] = []
  const reactions: ((effect: OutwardEffect) => void)[] = []
  const supervisor = new Supervisor(policy, clock, {
    perform: (effect) => {
      performed.push({ at: clock.now(), effect })
      for (const react of reactions) react(effect)
    },
    onStateChange: (state) => states.push(state.kind),
  })
  return {
    clock,
    supervisor,
    states,
    performed,
    onEffect: (react: (effect: OutwardEffect) => void) => void reactions.push(react),
    timesOf: (type: OutwardEffect['type']) =>
      performed.filter(({ effect }) => effect.type === type).map(({ at }) => at),
    logs: () => performed.flatMap(({ effect }) => (effect.type === 'log' ? [`${effect.level} ${effect.event}`] : [])),
  }
}
