/** The keys of the export to a collector of OpenTelemetry. What is absent here the variables of OpenTelemetry may say. */
import {
  booleanType,
  choiceType,
  createRecord,
  durationType,
  type FieldTable,
  type FieldType,
  field,
  type InputOf,
  numberType,
  objectType,
  readFallbacks,
  recordType,
  refuse,
  section,
  textType,
  type ValuesOf,
} from '@switchboard/config'

const SHARE_EXPECTED = 'a number from 0 to 1'

const shareType: FieldType<number> = {
  ...numberType,
  expected: SHARE_EXPECTED,
  short: '0–1',
  schema: { type: 'number', minimum: 0, maximum: 1 },
  read: (node, path, context) => {
    const { scalar } = node
    const fits = typeof scalar === 'number' && scalar >= 0 && scalar <= 1
    return fits ? { value: scalar } : refuse(context, node, path, SHARE_EXPECTED)
  },
}

const TELEMETRY_FIELDS = {
  endpoint: field(
    textType({
      expected: 'the http or https address of a collector, such as "http://localhost:4318"',
      short: 'http(s) address',
      expands: true,
      // It may hold a password.
      secret: true,
      check: (text) =>
        URL.canParse(text) && /^https?:/i.test(text) ? undefined : 'is no address that begins with http:// or https://',
    }),
    {
      doc: 'Where OTLP is sent: `/v1/traces` and `/v1/metrics` are put behind it. Absent: `OTEL_EXPORTER_OTLP_ENDPOINT`; without that nothing is sent, and nothing of the export is loaded.',
      examples: ['http://localhost:4318'],
    },
  ),
  protocol: field(choiceType(['http/protobuf', 'http/json']), {
    doc: 'Absent: `OTEL_EXPORTER_OTLP_PROTOCOL`, else `http/protobuf`. gRPC is not spoken.',
    examples: ['http/json'],
  }),
  headers: field(
    recordType(
      textType({ expected: 'a string', expands: true, secret: true, pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$' }),
      {
        expected: 'an object of strings',
        short: 'object of strings',
        secret: true,
        keyPattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
        keyExpected: 'the name of an HTTP header',
      },
    ),
    {
      fallback: createRecord<string>([]),
      written: {},
      doc: 'Sent along, as a backend wants them for its key. Over `OTEL_EXPORTER_OTLP_HEADERS`.',
      examples: [{ authorization: `Bearer \${COLLECTOR_TOKEN}` }],
    },
  ),
  serviceName: field(textType({ expected: 'a name', pattern: '\\S' }), {
    doc: 'The `service.name` of the daemon; that of a front has `-front` behind it. Absent: `OTEL_SERVICE_NAME`, else `switchboard`.',
    examples: ['switchboard-laptop'],
  }),
  resource: field(
    recordType(textType({ expected: 'a string', expands: true }), {
      expected: 'an object of strings',
      short: 'object of strings',
      keyPattern: '\\S',
      keyExpected: 'the name of an attribute',
    }),
    {
      fallback: createRecord<string>([]),
      written: {},
      doc: 'Attributes of everything that is sent. Over `OTEL_RESOURCE_ATTRIBUTES`.',
      examples: [{ 'deployment.environment.name': 'work' }],
    },
  ),
  sample: field(shareType, {
    doc: 'The share of the traces that is recorded, of those that no client has decided about. Absent: `OTEL_TRACES_SAMPLER`, else all.',
    examples: [0.1],
  }),
  traces: field(booleanType, { fallback: true, written: true, doc: 'Whether spans are sent.' }),
  metrics: field(booleanType, {
    fallback: true,
    written: true,
    doc: 'Whether the measurements of `/metrics` are sent as well.',
  }),
  interval: field(durationType, {
    unit: 'ms',
    doc: 'How often measurements are sent. Absent: `OTEL_METRIC_EXPORT_INTERVAL`, else a minute.',
    examples: ['15s'],
  }),
  content: field(booleanType, {
    fallback: false,
    written: false,
    doc: 'Put what tools are called with and return into their spans, masked and cut. They hold what people work on.',
  }),
} satisfies FieldTable

const TELEMETRY_TABLE = { name: 'telemetry', owner: 'the export to a collector', fields: TELEMETRY_FIELDS }

const TELEMETRY_EXPECTED = 'false, or an object such as {"endpoint": "http://localhost:4318"}'

const telemetryObject = objectType(TELEMETRY_TABLE)

/** undefined when it is switched off, whatever the environment says. */
const telemetryType: FieldType<
  ValuesOf<typeof TELEMETRY_FIELDS> | undefined,
  false | InputOf<typeof TELEMETRY_FIELDS>
> = {
  ...telemetryObject,
  expected: TELEMETRY_EXPECTED,
  short: 'false or object',
  schema: { anyOf: [{ const: false }, telemetryObject.schema] },
  read: (node, path, context) => {
    if (node.scalar === false) return { value: undefined }
    return node.type === 'object'
      ? telemetryObject.read(node, path, context)
      : refuse(context, node, path, TELEMETRY_EXPECTED)
  },
}

const telemetryField = field(telemetryType, {
  fallback: readFallbacks(TELEMETRY_FIELDS),
  written: {},
  doc: 'Traces and measurements for a collector of OpenTelemetry ([opentelemetry.md](opentelemetry.md)). `false`: none, whatever the environment says.',
  examples: [false],
})

export const telemetrySection = section({ fields: { telemetry: telemetryField } })
