import { expect, test } from 'vitest'
import { findDanger } from '../../src/diagnosis/command-safety.ts'

test.each([
  ['rm -rf node_modules', 'deletes files'],
  ['sudo /bin/rm .git/index.lock', 'deletes files'],
  ['find . -name "*.pyc" -delete', 'deletes files'],
  ['find . -type f -exec rm {} +', 'deletes files'],
  ['ls | xargs -0 rm', 'deletes files'],
  ['cd build && rm -r out', 'deletes files'],
  ['ssh host "rm -rf ~/.vscode-server"', 'deletes files'],
  ['Remove-Item -Recurse dist', 'deletes files'],
  ['del /q *.tmp', 'deletes files'],
  ['git reset --hard HEAD~1', 'discards uncommitted changes'],
  ['git clean -fd', 'discards uncommitted changes'],
  ['git push --force-with-lease', 'rewrites what others may have'],
  ['git branch -D old', 'drops commits'],
  ['docker system prune', 'deletes containers, images or volumes'],
  ['docker volume rm data', 'deletes containers, images or volumes'],
  ['kubectl -n prod delete pod api', 'removes what runs in the cluster'],
  ['terraform destroy', 'destroys infrastructure'],
  ['psql -c "DROP TABLE users"', 'deletes data of the database'],
  ['psql -c "delete from users"', 'deletes data of the database'],
  ['redis-cli FLUSHALL', 'deletes data of the database'],
  ['kill -9 123', 'ends processes'],
  ['taskkill /PID 7', 'ends processes'],
  ['sudo systemctl restart docker', 'interrupts a service'],
  ['mkfs.ext4 /dev/sdb1', 'overwrites a disk'],
  ['format D:', 'overwrites a disk'],
  ['sudo chown -R me node_modules', 'changes the rights of whole folders'],
  ['FOO=1 env BAR=2 rm x', 'deletes files'],
])('%s: %s', (command, danger) => {
  expect(findDanger(command)).toBe(danger)
})

test.each([
  'npm run format',
  'cat information.txt',
  'npx prettier --check dropdown.tsx',
  'git add terminate.ts',
  'git status',
  'git push',
  'git restart-notes',
  'docker ps --filter publish=80',
  'docker run --rm -it image sh',
  'kubectl describe pod deleted',
  'echo "please do not rm anything"',
  'npm install rimraf',
  'systemctl status docker',
  'python -m pip install killer',
  'select * from dropped_tables',
  'chmod u+x run.sh',
  '',
])('%s destroys nothing', (command) => {
  expect(findDanger(command)).toBeUndefined()
})

test('a text without end is read in no time', () => {
  expect(findDanger('a '.repeat(1_000_000))).toBeUndefined()
})
