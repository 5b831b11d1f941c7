#!/usr/bin/env node
// forge starts a compiler as a program; this one is solc from npm, which is a library. It answers the two calls that
// forge makes: `--version`, and `--standard-json` with the input on stdin.
import { readFileSync } from 'node:fs'
import solc from 'solc'

if (process.argv.includes('--version')) {
  const version = solc.version().replace('.Emscripten.clang', '.Linux.g++')
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${version}`)
} else if (process.argv.includes('--standard-json')) {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')))
} else {
  console.error(`solc shim: expected --version or --standard-json, got ${process.argv.slice(2).join(' ')}`)
  process.exitCode = 1
}
