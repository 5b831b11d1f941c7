import { describeFailure } from './lode/describe-failure.ts'
import { createProgram } from './lode/program.ts'

// `lode … | head` closes the pipe early. That is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

try {
  await createProgram().parseAsync()
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`)
  process.exitCode = 1
}
