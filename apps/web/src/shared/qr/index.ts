export { QrCode } from './QrCode.tsx'
export { encodeQrModules } from './qr.ts'
