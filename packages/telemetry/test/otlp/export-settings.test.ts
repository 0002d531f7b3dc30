import { describe, expect, it } from 'vitest'
import { type ExportSettings, readExportSettings } from '../../src/otlp/exporter/export-settings.ts'
import { isExportWanted, type TelemetryConfig } from '../../src/otlp/telemetry-config.ts'

const NONE: TelemetryConfig = { traces: true, metrics: true, content: false }

function read(env: Record<string, string>, config: Partial<TelemetryConfig> = {}): ExportSettings & { told: string[] } {
  const told: string[] = []
  return { ...readExportSettings({ ...NONE, ...config }, env, (problem) => told.push(problem)), told }
}

describe('an export is wanted', () => {
  it.each([
    ['nothing names a collector', {}, {}, false],
    ['the file does', {}, { endpoint: 'http://x' }, true],
    ['the environment does', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x' }, {}, true],
    ['the environment does for one signal', { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://x' }, {}, true],
    ['a variable is empty', { OTEL_EXPORTER_OTLP_ENDPOINT: '  ' }, {}, false],
    ['it is disabled', { OTEL_SDK_DISABLED: 'TRUE' }, { endpoint: 'http://x' }, false],
  ])('or not: %s', (_when, env, config, expected) => {
    expect(isExportWanted({ ...NONE, ...config }, env)).toBe(expected)
  })

  it('never where the file switches it off', () => {
    expect(isExportWanted(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x' })).toBe(false)
  })
})

describe('where to', () => {
  it('the general address gets the path of the signal, one of the signal itself is taken as it is', () => {
    const { traces, metrics } = read({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c.example/base/',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t.example:9/exactly',
    })
    expect(traces?.url.href).toBe('http://t.example:9/exactly')
    expect(metrics?.url.href).toBe('https://c.example/base/v1/metrics')
  })

  it('the file wins over the environment', () => {
    const { traces } = read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://env' }, { endpoint: 'http://file:1' })
    expect(traces?.url.href).toBe('http://file:1/v1/traces')
  })

  it('what is no address of http exports nothing, and is told without what it holds', () => {
    const { traces, told } = read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'ftp://user:secret@x' })
    expect(traces).toBeUndefined()
    expect(told.join()).toContain('no http address')
    expect(told.join()).not.toContain('secret')
  })

  it('a signal is left out by the file, or by the name of its exporter', () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x' }
    expect(read(env, { traces: false }).traces).toBeUndefined()
    expect(read({ ...env, OTEL_METRICS_EXPORTER: 'prometheus' }).metrics).toBeUndefined()
    expect(read({ ...env, OTEL_METRICS_EXPORTER: 'console,otlp' }).metrics).toBeDefined()
    expect(read({ ...env, OTEL_TRACES_EXPORTER: 'none' }).traces).toBeUndefined()
  })
})

describe('how', () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x' }

  it('protobuf unless it is said otherwise; gRPC is told, and nothing is exported by it', () => {
    expect(read(env).traces?.format).toBe('protobuf')
    expect(read({ ...env, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }).traces?.format).toBe('json')
    expect(read({ ...env, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' })).toMatchObject({
      traces: { format: 'json' },
      metrics: { format: 'protobuf' },
    })
    const { traces, told } = read({ ...env, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })
    expect(traces).toBeUndefined()
    expect(told[0]).toContain('http/protobuf')
  })

  it('headers of all, of the signal and of the file, the later ones over the earlier', () => {
    const headers = read(
      { ...env, OTEL_EXPORTER_OTLP_HEADERS: 'a=1, b=two%20words,c=x=y', OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'a=2' },
      { headers: { c: 'z' } },
    ).traces?.headers
    expect(headers).toEqual({ a: '2', b: 'two words', c: 'z' })
  })

  it('a header that is none is told without what it holds, and left out', () => {
    const { traces, told } = read({ ...env, OTEL_EXPORTER_OTLP_HEADERS: 'secret,a=%zz,b=1' })
    expect(traces?.headers).toEqual({ b: '1' })
    expect(told).toHaveLength(4)
    expect(told.join()).not.toMatch(/secret|%zz/)
  })

  it('numbers that make no sense are told, and the defaults hold', () => {
    const { queueSize, batchSize, batchDelay, told } = read({
      ...env,
      OTEL_BSP_MAX_QUEUE_SIZE: '100',
      OTEL_BSP_SCHEDULE_DELAY: 'soon',
    })
    expect({ queueSize, batchSize, batchDelay }).toEqual({ queueSize: 100, batchSize: 100, batchDelay: 5_000 })
    expect(told).toHaveLength(1)
  })
})

it('whose spans they are is told by the file, else by the environment', () => {
  const env = { OTEL_SERVICE_NAME: 'env', OTEL_RESOURCE_ATTRIBUTES: 'service.name=attributes,team=a' }
  expect(read(env).resource).toEqual({ 'service.name': 'env', team: 'a' })
  expect(read(env, { serviceName: 'file', resource: { team: 'b' } }).resource).toEqual({
    'service.name': 'file',
    team: 'b',
  })
})

it('which traces is told by the file, else by the environment; what that says wrong is told', () => {
  expect(read({}).sampler).toEqual({ name: 'parentbased_always_on', ratio: 1 })
  expect(read({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' }).sampler).toEqual({
    name: 'traceidratio',
    ratio: 0.5,
  })
  expect(read({ OTEL_TRACES_SAMPLER: 'always_off' }, { sample: 0.1 }).sampler).toEqual({
    name: 'parentbased_traceidratio',
    ratio: 0.1,
  })
  const wrong = read({ OTEL_TRACES_SAMPLER: 'sometimes', OTEL_TRACES_SAMPLER_ARG: '7' })
  expect(wrong.sampler).toEqual({ name: 'parentbased_always_on', ratio: 1 })
  expect(wrong.told.join()).toMatch(/sometimes.*OTEL_TRACES_SAMPLER_ARG/s)
})
