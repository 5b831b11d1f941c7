import type { errors as en } from '../en/errors.ts'
import type { Translated } from '../translated.ts'

export const errors: Translated<typeof en> = {
  noResponse: '網路連線失敗，請檢查網路設定',
  requestFailed: '請求失敗',
  netError: '網路錯誤！',
  missingToken: '缺少 token，請求已被阻擋',
  accountNotAvailable: '請求失敗：帳戶無法使用',
  navigation: '頁面跳轉失敗，請重試',
  clipboardUnsupported: '您的瀏覽器不支援 Clipboard API。',
  copySucceeded: '複製成功！',
  copyFailed: '複製失敗，請重試。',
  status400: '請求參數錯誤',
  status403: '拒絕存取',
  status404: '請求的資源不存在',
  status408: '請求逾時',
  status500: '伺服器內部錯誤',
  status501: '服務尚未實作',
  status502: '閘道錯誤',
  status503: '服務無法使用',
  status504: '閘道逾時',
}
