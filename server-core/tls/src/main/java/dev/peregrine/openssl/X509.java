package dev.peregrine.openssl;

import static dev.peregrine.openssl.Downcall.call;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A reference to a certificate in OpenSSL. */
record X509(long address) implements AutoCloseable {
  /** Parses DER. */
  static X509 parse(byte[] der) throws OpenSslException {
    ErrorQueue.clear();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocateFrom(ValueLayout.JAVA_BYTE, der);
      MemorySegment pointer = arena.allocateFrom(ValueLayout.JAVA_LONG, copy.address());
      long parsed = call(Functions.D2I_X509, 0, pointer.address(), der.length);
      if (parsed == 0) {
        throw ErrorQueue.failure("OpenSSL can't read a certificate");
      }
      return new X509(parsed);
    }
  }

  /** Returns a certificate in DER; the reference stays the caller's. */
  static byte[] encode(long certificate) {
    int bytes = (int) call(Functions.I2D_X509, certificate, 0);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment der = arena.allocate(Math.max(bytes, 1));
      MemorySegment pointer = arena.allocateFrom(ValueLayout.JAVA_LONG, der.address());
      call(Functions.I2D_X509, certificate, pointer.address());
      return der.asSlice(0, Math.max(bytes, 0)).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  @Override
  public void close() {
    call(Functions.X509_FREE, address);
  }
}
