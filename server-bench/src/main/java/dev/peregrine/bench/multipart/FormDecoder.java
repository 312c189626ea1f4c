package dev.peregrine.bench.multipart;

/** A decoder of a form, called as a server would call it. */
interface FormDecoder {
  /** Decodes the form, and returns the bytes of its file. */
  long decode() throws Exception;
}
