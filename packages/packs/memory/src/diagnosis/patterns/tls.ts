import { type Pattern, step, stepBy } from '../pattern.ts'

/** Certificates, and what they are spoken over. */
export const TLS: readonly Pattern[] = [
  {
    id: 'tls-self-signed',
    title: 'A certificate is signed by nobody who is trusted',
    signs: [
      /self[- ]signed certificate/i,
      /unable to (?:get|verify)(?: the)? (?:local issuer|first) certificate/,
      /CERTIFICATE_VERIFY_FAILED/,
      /server certificate verification failed/,
      /certificate signed by unknown authority/,
      /UNABLE_TO_VERIFY_LEAF_SIGNATURE/,
      /PKIX path building failed/,
      /SSL certificate problem: unable/,
    ],
    words:
      'self-signed certificate in chain unable to get local issuer certificate verify failed unknown authority pkix path building failed ca',
    category: 'network',
    severity: 'high',
    cause:
      'The certificate comes from an authority that this program does not know: one of the company (a proxy that looks into TLS), a self-signed one, or a server that does not send the chain.',
    steps: [
      step('See who signed it', 'openssl s_client -connect <host>:443 -servername <host> -showcerts'),
      stepBy('Let the program know the authority', {
        linux: 'NODE_EXTRA_CA_CERTS=<ca.pem> SSL_CERT_FILE=<ca.pem> <command>',
        windows: 'set NODE_EXTRA_CA_CERTS=<ca.pem> && <command>',
      }),
      step('Do not switch verification off: then anybody can read along'),
    ],
    verify: ['`curl --cacert <ca.pem> https://<host>/` succeeds'],
    tags: ['network', 'tls'],
  },
  {
    id: 'tls-expired',
    title: 'A certificate has expired, or the clock is wrong',
    signs: [
      /certificate (?:has|is) expired/i,
      /CERT_HAS_EXPIRED/,
      /certificate has expired or is not yet valid/,
      /certificate is not yet valid/i,
    ],
    words: 'certificate has expired cert_has_expired not yet valid clock',
    category: 'network',
    severity: 'high',
    cause: 'The certificate is past its end, or the clock of this machine is wrong.',
    steps: [
      step(
        'See its dates, and the clock',
        'openssl s_client -connect <host>:443 -servername <host> </dev/null | openssl x509 -noout -dates',
        'date -u',
      ),
      step('Renew it on the server', 'certbot renew'),
      step('Set the clock where that is wrong'),
    ],
    verify: ['The dates enclose today'],
    tags: ['network', 'tls'],
  },
  {
    id: 'tls-hostname',
    title: 'A certificate is for another name',
    signs: [
      /ERR_TLS_CERT_ALTNAME_INVALID/,
      /cannot validate certificate for /,
      /does not match (?:target host name|certificate's altnames)/,
      /Hostname\/IP does not match certificate/,
      /certificate is (?:valid for|not valid for)/,
      /[Hh]ostname mismatch/,
      /doesn't match either of|no alternative certificate subject name/,
    ],
    words: 'certificate subject name does not match target host name altnames hostname mismatch is valid for not',
    category: 'network',
    severity: 'medium',
    cause: 'The server has no certificate for the name (or address) by which it was asked.',
    steps: [
      step(
        'See for which names it is',
        'openssl s_client -connect <host>:443 -servername <host> </dev/null | openssl x509 -noout -ext subjectAltName',
      ),
      step('Ask by one of them, or have a certificate made for this one'),
    ],
    verify: ['`curl -sSI https://<host>/` succeeds'],
    tags: ['network', 'tls'],
  },
  {
    id: 'tls-wrong-version',
    title: 'TLS is spoken to what does not speak it',
    signs: [
      /wrong version number/i,
      /SSL_ERROR_RX_RECORD_TOO_LONG/,
      /first record does not look like a TLS handshake/,
      /server gave HTTP response to HTTPS client/,
      /EPROTO/,
      /tlsv1 alert protocol version/,
      /unsupported protocol/,
    ],
    words:
      'ssl routines wrong version number first record does not look like a tls handshake http response to https client eproto',
    category: 'network',
    severity: 'medium',
    cause:
      'The other side answers without TLS (https where it should be http, the wrong port, a proxy), or the two have no version in common.',
    steps: [
      step('Ask without TLS', 'curl -v http://<host>:<port>/'),
      step('Correct scheme or port; for a proxy use http:// in HTTPS_PROXY'),
      step('For an own registry without TLS, name it as insecure'),
    ],
    verify: ['`openssl s_client -connect <host>:<port>` shows a certificate'],
    tags: ['network', 'tls'],
  },
]
