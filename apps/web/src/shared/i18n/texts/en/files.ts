export const files = {
  show: 'Show it here',
  shared: 'Sent to the app you chose.',
  download: 'Your browser was asked to download it. Can’t find it?',
  pictureText: 'Press and hold the picture to save or send it.',
  textText: 'Copy the text and paste it wherever you keep notes.',
  picture: 'Your invitation: QR code, code and link',
  copy: 'Copy',
  share: 'Share',
  shareFailed: 'Your device could not share it.',
} as const
