package dev.peregrine.grpc;

import dev.peregrine.http.Request;
import io.grpc.Metadata;
import org.jspecify.annotations.Nullable;

/** The fields of a request, each read once: those of the protocol, and all as metadata. */
final class ReceivedFields {
  private final Metadata metadata = new Metadata();
  private boolean malformed;
  private @Nullable String encoding;
  private @Nullable String timeout;
  private @Nullable String acceptEncoding;
  private @Nullable String te;

  ReceivedFields(Request request) {
    int count = request.headerCount();
    for (int i = 0; i < count; i++) {
      String name = request.headerName(i);
      if (!name.equalsIgnoreCase("host")) {
        add(name, request.headerValue(i));
      }
    }
  }

  private void add(String name, String value) {
    if (Fields.isBinary(name)) {
      malformed |= !Fields.readBinary(metadata, name, value);
      return;
    }
    Metadata.Key<String> key = Fields.text(name);
    if (key != null) {
      metadata.put(key, value);
      note(key.name(), value);
    }
  }

  /** Keeps the first value of a field of the protocol. */
  private void note(String name, String value) {
    switch (name) {
      case Fields.ENCODING -> encoding = encoding == null ? value : encoding;
      case Fields.TIMEOUT -> timeout = timeout == null ? value : timeout;
      case Fields.ACCEPT_ENCODING ->
          acceptEncoding = acceptEncoding == null ? value : acceptEncoding;
      case "te" -> te = te == null ? value : te;
      default -> {}
    }
  }

  /** Returns all fields, without values of binary ones from one on that isn't base64. */
  Metadata metadata() {
    return metadata;
  }

  /** Returns true if the value of a binary field isn't base64. */
  boolean isMalformed() {
    return malformed;
  }

  /** Returns the coding of compressed messages; null if the client names none. */
  @Nullable String encoding() {
    return encoding;
  }

  /** Returns the codings that the client accepts; null if it names none. */
  @Nullable String acceptEncoding() {
    return acceptEncoding;
  }

  /** Returns the nanoseconds to the deadline, or a value in place of them. */
  long timeoutNanos() {
    return timeout == null ? CallHead.NO_TIMEOUT : CallTimeout.nanos(timeout);
  }

  boolean acceptsTrailers() {
    return "trailers".equalsIgnoreCase(te);
  }
}
