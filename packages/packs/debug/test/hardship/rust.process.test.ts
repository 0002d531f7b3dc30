import { describeHardships } from './hardship-contract.ts'

await describeHardships({
  name: 'rust',
  engine: 'lldb-dap',
  source: 'rust/app.rs',
  build: { command: 'rustc', args: ['-g', '--edition', '2021', '-o', 'app', 'app.rs'], program: 'app' },
  endless: 'app::endless()',
  endsEvaluations: true,
  floods: [['stderr', 'one line']],
  isQuick: false,
})
