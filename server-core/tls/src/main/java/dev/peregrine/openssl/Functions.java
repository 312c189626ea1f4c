package dev.peregrine.openssl;

import java.lang.invoke.MethodHandle;

/**
 * The functions of OpenSSL that this package calls, each looked up once. Pointers, sizes and ints
 * are plain longs, so that a call allocates nothing; the caller narrows the result to the
 * function's type (see {@link Library}, and {@link Downcall} for the calls).
 */
final class Functions {
  static final Library LIBRARY = Library.load();

  // ---- Errors: a queue per thread ----

  static final MethodHandle ERR_CLEAR_ERROR = LIBRARY.link("ERR_clear_error", 0);
  static final MethodHandle ERR_GET_ERROR = LIBRARY.link("ERR_get_error", 0);
  static final MethodHandle ERR_PEEK_ERROR = LIBRARY.linkShort("ERR_peek_error", 0);
  static final MethodHandle ERR_REASON_ERROR_STRING = LIBRARY.link("ERR_reason_error_string", 1);

  // ---- Memory that SSL objects read and write ----

  static final MethodHandle BIO_NEW = LIBRARY.link("BIO_new", 1);
  static final MethodHandle BIO_NEW_MEM_BUF = LIBRARY.link("BIO_new_mem_buf", 2);
  static final MethodHandle BIO_S_MEM = LIBRARY.link("BIO_s_mem", 0);
  static final MethodHandle BIO_SET_FLAGS = LIBRARY.link("BIO_set_flags", 2);
  static final MethodHandle BIO_READ = LIBRARY.link("BIO_read", 3);
  static final MethodHandle BIO_WRITE = LIBRARY.link("BIO_write", 3);
  static final MethodHandle BIO_UP_REF = LIBRARY.link("BIO_up_ref", 1);
  static final MethodHandle BIO_FREE = LIBRARY.link("BIO_free", 1);
  static final MethodHandle BIO_CTRL = LIBRARY.linkShort("BIO_ctrl", 4);
  static final MethodHandle CRYPTO_MEMDUP = LIBRARY.link("CRYPTO_memdup", 4);
  static final MethodHandle CRYPTO_FREE = LIBRARY.link("CRYPTO_free", 3);

  // ---- Certificates and keys ----

  static final MethodHandle D2I_X509 = LIBRARY.link("d2i_X509", 3);
  static final MethodHandle I2D_X509 = LIBRARY.link("i2d_X509", 2);
  static final MethodHandle X509_FREE = LIBRARY.link("X509_free", 1);
  static final MethodHandle D2I_AUTO_PRIVATE_KEY = LIBRARY.link("d2i_AutoPrivateKey", 3);
  static final MethodHandle EVP_PKEY_FREE = LIBRARY.link("EVP_PKEY_free", 1);
  static final MethodHandle OPENSSL_SK_NUM = LIBRARY.link("OPENSSL_sk_num", 1);
  static final MethodHandle OPENSSL_SK_VALUE = LIBRARY.link("OPENSSL_sk_value", 2);
  static final MethodHandle X509_STORE_ADD_CERT = LIBRARY.link("X509_STORE_add_cert", 2);
  static final MethodHandle X509_STORE_SET_FLAGS = LIBRARY.link("X509_STORE_set_flags", 2);
  static final MethodHandle X509_VERIFY_CERT_ERROR_STRING =
      LIBRARY.link("X509_verify_cert_error_string", 1);

  // ---- Contexts ----

  static final MethodHandle TLS_SERVER_METHOD = LIBRARY.link("TLS_server_method", 0);
  static final MethodHandle SSL_CTX_NEW = LIBRARY.link("SSL_CTX_new", 1);
  static final MethodHandle SSL_CTX_FREE = LIBRARY.link("SSL_CTX_free", 1);
  static final MethodHandle SSL_CTX_CTRL = LIBRARY.link("SSL_CTX_ctrl", 4);
  static final MethodHandle SSL_CTX_CALLBACK_CTRL = LIBRARY.link("SSL_CTX_callback_ctrl", 3);
  static final MethodHandle SSL_CTX_SET_OPTIONS = LIBRARY.link("SSL_CTX_set_options", 2);
  static final MethodHandle SSL_CTX_SET_SECURITY_LEVEL =
      LIBRARY.link("SSL_CTX_set_security_level", 2);
  static final MethodHandle SSL_CTX_SET_CIPHER_LIST = LIBRARY.link("SSL_CTX_set_cipher_list", 2);
  static final MethodHandle SSL_CTX_SET_CIPHERSUITES = LIBRARY.link("SSL_CTX_set_ciphersuites", 2);
  static final MethodHandle OPENSSL_CIPHER_NAME = LIBRARY.link("OPENSSL_cipher_name", 1);
  static final MethodHandle SSL_CTX_USE_CERTIFICATE = LIBRARY.link("SSL_CTX_use_certificate", 2);
  static final MethodHandle SSL_CTX_USE_PRIVATE_KEY = LIBRARY.link("SSL_CTX_use_PrivateKey", 2);
  static final MethodHandle SSL_CTX_CHECK_PRIVATE_KEY =
      LIBRARY.link("SSL_CTX_check_private_key", 1);
  static final MethodHandle SSL_CTX_SET_VERIFY = LIBRARY.link("SSL_CTX_set_verify", 3);
  static final MethodHandle SSL_CTX_SET_VERIFY_DEPTH = LIBRARY.link("SSL_CTX_set_verify_depth", 2);
  static final MethodHandle SSL_CTX_GET_CERT_STORE = LIBRARY.link("SSL_CTX_get_cert_store", 1);
  static final MethodHandle SSL_CTX_ADD_CLIENT_CA = LIBRARY.link("SSL_CTX_add_client_CA", 2);
  static final MethodHandle SSL_CTX_SET_SESSION_ID_CONTEXT =
      LIBRARY.link("SSL_CTX_set_session_id_context", 3);
  static final MethodHandle SSL_CTX_SET_NUM_TICKETS = LIBRARY.link("SSL_CTX_set_num_tickets", 2);
  static final MethodHandle SSL_CTX_SET_ALPN_SELECT_CB =
      LIBRARY.link("SSL_CTX_set_alpn_select_cb", 3);
  static final MethodHandle SSL_CTX_SET_TLSEXT_TICKET_KEY_EVP_CB =
      LIBRARY.link("SSL_CTX_set_tlsext_ticket_key_evp_cb", 2);
  static final MethodHandle CRYPTO_GET_EX_NEW_INDEX = LIBRARY.link("CRYPTO_get_ex_new_index", 6);
  static final MethodHandle SSL_CTX_SET_EX_DATA = LIBRARY.link("SSL_CTX_set_ex_data", 3);
  static final MethodHandle SSL_CTX_GET_EX_DATA = LIBRARY.link("SSL_CTX_get_ex_data", 2);

  // ---- Callbacks' own needs ----

  static final MethodHandle SSL_SELECT_NEXT_PROTO = LIBRARY.link("SSL_select_next_proto", 6);
  static final MethodHandle SSL_GET_SSL_CTX = LIBRARY.link("SSL_get_SSL_CTX", 1);
  static final MethodHandle SSL_VERSION = LIBRARY.linkShort("SSL_version", 1);
  static final MethodHandle EVP_CIPHER_FETCH = LIBRARY.link("EVP_CIPHER_fetch", 3);
  static final MethodHandle EVP_ENCRYPT_INIT_EX = LIBRARY.link("EVP_EncryptInit_ex", 5);
  static final MethodHandle EVP_DECRYPT_INIT_EX = LIBRARY.link("EVP_DecryptInit_ex", 5);
  static final MethodHandle EVP_MAC_CTX_SET_PARAMS = LIBRARY.link("EVP_MAC_CTX_set_params", 2);
  static final MethodHandle RAND_BYTES = LIBRARY.link("RAND_bytes", 2);

  // ---- Sessions ----

  static final MethodHandle SSL_NEW = LIBRARY.link("SSL_new", 1);
  static final MethodHandle SSL_FREE = LIBRARY.link("SSL_free", 1);
  static final MethodHandle SSL_SET_ACCEPT_STATE = LIBRARY.link("SSL_set_accept_state", 1);
  static final MethodHandle SSL_SET_BIO = LIBRARY.link("SSL_set_bio", 3);
  static final MethodHandle SSL_SET_SESSION_ID_CONTEXT =
      LIBRARY.link("SSL_set_session_id_context", 3);
  static final MethodHandle SSL_CTRL = LIBRARY.link("SSL_ctrl", 4);
  static final MethodHandle SSL_DO_HANDSHAKE = LIBRARY.link("SSL_do_handshake", 1);
  static final MethodHandle SSL_READ = LIBRARY.link("SSL_read", 3);
  static final MethodHandle SSL_HAS_PENDING = LIBRARY.linkShort("SSL_has_pending", 1);
  static final MethodHandle SSL_WRITE = LIBRARY.link("SSL_write", 3);
  static final MethodHandle SSL_SHUTDOWN = LIBRARY.link("SSL_shutdown", 1);
  static final MethodHandle SSL_GET_ERROR = LIBRARY.linkShort("SSL_get_error", 2);
  static final MethodHandle SSL_SET_SHUTDOWN = LIBRARY.linkShort("SSL_set_shutdown", 2);
  static final MethodHandle SSL_ALERT_DESC_STRING_LONG =
      LIBRARY.link("SSL_alert_desc_string_long", 1);
  static final MethodHandle SSL_SESSION_REUSED = LIBRARY.link("SSL_session_reused", 1);
  static final MethodHandle SSL_GET_VERSION = LIBRARY.link("SSL_get_version", 1);
  static final MethodHandle SSL_GET_CURRENT_CIPHER = LIBRARY.link("SSL_get_current_cipher", 1);
  static final MethodHandle SSL_CIPHER_STANDARD_NAME = LIBRARY.link("SSL_CIPHER_standard_name", 1);
  static final MethodHandle SSL_GET0_ALPN_SELECTED = LIBRARY.link("SSL_get0_alpn_selected", 3);
  static final MethodHandle SSL_GET1_PEER_CERTIFICATE =
      LIBRARY.link("SSL_get1_peer_certificate", 1);
  static final MethodHandle SSL_GET_PEER_CERT_CHAIN = LIBRARY.link("SSL_get_peer_cert_chain", 1);
  static final MethodHandle SSL_GET_VERIFY_RESULT = LIBRARY.link("SSL_get_verify_result", 1);

  static {
    LIBRARY.checkComplete();
  }

  private Functions() {}
}
