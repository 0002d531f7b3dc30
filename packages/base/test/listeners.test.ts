import { expect, test } from 'vitest'
import { Listeners } from '../src/listeners.ts'

test('tells everyone once, in the order in which they came', () => {
  const heard: string[] = []
  const listeners = new Listeners<[string, number]>()
  listeners.add((name, count) => heard.push(`a ${name} ${count}`))
  listeners.add((name, count) => heard.push(`b ${name} ${count}`))
  listeners.notify('x', 1)
  expect(heard).toEqual(['a x 1', 'b x 1'])
  expect(listeners.size).toBe(2)
})

test('one that left hears nothing more', () => {
  const heard: number[] = []
  const listeners = new Listeners<[number]>()
  const subscription = listeners.add((value) => heard.push(value))
  listeners.notify(1)
  subscription.dispose()
  subscription.dispose()
  listeners.notify(2)
  expect(heard).toEqual([1])
  expect(listeners.size).toBe(0)
})

test('one that leaves or comes while they are told disturbs nobody', () => {
  const heard: string[] = []
  const listeners = new Listeners<[]>()
  const first = listeners.add(() => {
    heard.push('first')
    first.dispose()
    second.dispose()
    listeners.add(() => heard.push('late'))
  })
  const second = listeners.add(() => heard.push('second'))
  listeners.notify()
  expect(heard).toEqual(['first', 'second'])
  listeners.notify()
  expect(heard).toEqual(['first', 'second', 'late'])
})

test('one that throws ends the telling', () => {
  const heard: string[] = []
  const listeners = new Listeners<[]>()
  listeners.add(() => {
    throw new Error('broken')
  })
  listeners.add(() => heard.push('second'))
  expect(() => listeners.notify()).toThrow('broken')
  expect(heard).toEqual([])
})

test('one that throws harms no other where somebody takes the error', () => {
  const heard: string[] = []
  const listeners = new Listeners<[]>((error) => heard.push(String(error)))
  listeners.add(() => {
    throw new Error('broken')
  })
  listeners.add(() => heard.push('second'))
  listeners.notify()
  expect(heard).toEqual(['Error: broken', 'second'])
})

test('waits for each before it tells the next where it is asked to', async () => {
  const heard: string[] = []
  const listeners = new Listeners<[string], void | Promise<void>>()
  listeners.add(async (text) => {
    heard.push(`begun ${text}`)
    await Promise.resolve()
    heard.push(`done ${text}`)
  })
  listeners.add((text) => void heard.push(`second ${text}`))
  await listeners.notifyInTurn('x')
  expect(heard).toEqual(['begun x', 'done x', 'second x'])
})

test('forgets everyone at once', () => {
  const heard: number[] = []
  const listeners = new Listeners<[]>()
  listeners.add(() => heard.push(1))
  listeners.clear()
  listeners.notify()
  expect(heard).toEqual([])
})
