import { vi } from 'vitest'

// Runs before each test file, of which several share a process. What an earlier file did to our modules is forgotten.
vi.resetModules()
