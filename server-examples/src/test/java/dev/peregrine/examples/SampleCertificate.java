package dev.peregrine.examples;

/** A certificate for tests that is valid for long, and its key. */
final class SampleCertificate {
  static final String KEY =
      """
      -----BEGIN EC PRIVATE KEY-----
      MHcCAQEEIIDw6CIGHAuTUW11nRNfUnomb8SLv7mm2OXoS/C29yj3oAoGCCqGSM49
      AwEHoUQDQgAEOS0J5OwK/ArVhC20Wyux/o9FUPfUF6ryIfmMedBoGRENWPlkOSRW
      fLAD5NWk0GNQV5sf0Hm5Jnu6sA1mrQO3cA==
      -----END EC PRIVATE KEY-----
      """;

  static final String CHAIN =
      """
      -----BEGIN CERTIFICATE-----
      MIIBfzCCASWgAwIBAgIUWE/jnfFBI+JFzXJZrPJj8HgSo7AwCgYIKoZIzj0EAwIw
      FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzAwMDk0OVoYDzIxMjYxMDMw
      MDAwOTQ5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
      PQMBBwNCAAQ5LQnk7Ar8CtWELbRbK7H+j0VQ99QXqvIh+Yx50GgZEQ1Y+WQ5JFZ8
      sAPk1aTQY1BXmx/Qebkme7qwDWatA7dwo1MwUTAdBgNVHQ4EFgQU1WGwo5XFJOl6
      2Il0J230kTKsUMQwHwYDVR0jBBgwFoAU1WGwo5XFJOl62Il0J230kTKsUMQwDwYD
      VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiAthepmkFyxsXd+nHEN3bv5
      qCw/a2K6nasBRlk510OrFAIhANHgfcrfe0Z0B4K4dSLt5oESakfEEvru7BYDkLZr
      a/q+
      -----END CERTIFICATE-----
      """;

  private SampleCertificate() {}
}
