import { describeFailure } from './lode/describe-failure.ts'
import { createProgram } from './lode/program.ts'

// `lode … | head` closes the pipe early. The command goes on without output, and keeps its own exit code.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

try {
  await createProgram().parseAsync()
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`)
  process.exitCode = 1
}
