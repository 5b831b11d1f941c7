export { createPasswordHashing } from './password-hashing.ts'
export { readProtection } from './queries.ts'
export { mountProtection } from './routes.ts'
