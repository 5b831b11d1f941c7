import { createProgram } from './lode/program.ts'
import { ExpectedFailure } from './start-up.ts'

try {
  await createProgram().parseAsync()
} catch (error) {
  process.stderr.write(
    `${error instanceof ExpectedFailure ? error.message : error instanceof Error ? error.stack : error}\n`,
  )
  process.exitCode = 1
}
