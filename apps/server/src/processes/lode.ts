import { createProgram } from './lode/program.ts'
import { StartUpRefusal } from './start-up.ts'

try {
  await createProgram().parseAsync()
} catch (error) {
  process.stderr.write(
    `${error instanceof StartUpRefusal ? error.message : error instanceof Error ? error.stack : error}\n`,
  )
  process.exitCode = 1
}
