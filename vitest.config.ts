import { defineConfig } from 'vitest/config'

// `unit` needs nothing. `integration` runs on a real PostgreSQL and a real chain node, started once for the run.
// `dev-stack` starts and stops `pnpm dev` itself and makes a small demo. `demo` makes the whole demo, and a small one
// twice. `cluster` starts and stops `pnpm cluster`, and makes its alarms ring. `sim` runs the simulator on broken builds.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          // Files share two processes, in which libraries are loaded once. Our own modules are loaded anew for each file.
          isolate: false,
          setupFiles: ['test/vitest/fresh-modules.ts'],
          maxWorkers: 2,
          // Some try thousands of inputs or start a process: on a busy machine that takes longer than the default of 5 s.
          testTimeout: 30_000,
          include: [
            '{apps,packages}/**/*.test.{ts,tsx}',
            'scripts/**/*.test.ts',
            'test/sim/**/*.test.ts',
            'test/mutants/*.test.ts',
            'test/demo/member-scripts.test.ts',
          ],
          exclude: [
            '**/*.integration.test.ts',
            'test/sim/broken-builds/broken-builds.test.ts',
            '**/node_modules/**',
            '**/dist/**',
          ],
        },
      },
      {
        test: {
          name: 'integration',
          include: ['{apps,packages}/**/*.integration.test.ts', 'test/faults/*.integration.test.ts'],
          globalSetup: ['test/integration/setup.ts'],
          // Shared processes, as for the unit tests.
          isolate: false,
          setupFiles: ['test/vitest/fresh-modules.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'sim',
          include: ['test/sim/broken-builds/broken-builds.test.ts'],
          maxWorkers: 1,
        },
      },
      {
        test: {
          name: 'cluster',
          include: ['test/cluster/*.test.ts'],
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'dev-stack',
          include: ['test/dev-stack/*.test.ts', 'test/demo/world.test.ts'],
          // Each starts a whole stack several times, and CI runs them beside other checks.
          testTimeout: 600_000,
          hookTimeout: 60_000,
          // Each file has a whole stack of its own.
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'demo',
          include: ['test/demo/full.test.ts', 'test/demo/same-seed.test.ts'],
          maxWorkers: 1,
        },
      },
    ],
  },
})
