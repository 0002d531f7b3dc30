import { describeHardships } from './hardship-contract.ts'

await describeHardships({
  name: 'cpp',
  engine: 'lldb-dap',
  source: 'cpp/app.cpp',
  build: { command: 'g++', args: ['-g', '-O0', '-pthread', '-o', 'app', 'app.cpp'], program: 'app' },
  endless: 'endless()',
  endsEvaluations: true,
  floods: [['stdout', 'lines']],
  isQuick: false,
})
