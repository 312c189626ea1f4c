package dev.peregrine.server.sockets;

import dev.peregrine.server.transport.SocketWatch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;

/**
 * The calls of a socket, none of which waits. A caller is a user of the {@link Descriptor}, so that
 * none is closed during a call. One thread at a time connects or receives, and one sends.
 */
interface ClientSocket {
  /** The most bytes that one call receives or sends. */
  int BYTES_MAX = SocketCalls.BYTES_MAX;

  /** The result of {@link #receive} at the end of the stream. */
  int END = -1;

  /** Returns the loops that can watch the socket. */
  Loops loops();

  /** Creates the reports of a loop. */
  SocketWatch watch(SocketWatch.Listener listener);

  /** Begins to connect, or finds out what has come of that. Returns true once it is connected. */
  boolean connect(InetSocketAddress remote) throws IOException;

  void bind(InetSocketAddress local) throws IOException;

  /** Returns the wildcard address if the socket isn't bound. */
  InetSocketAddress localAddress() throws IOException;

  /**
   * Receives at most {@link #BYTES_MAX} bytes, and one beyond those if there are more: so a return
   * without one says that there are no more.
   *
   * @param beyond has room for that byte
   * @return the number of bytes, with the one beyond; 0 if there are none yet, or {@link #END}
   */
  int receive(byte[] target, int offset, int length, byte[] beyond) throws IOException;

  /** Sends at most {@link #BYTES_MAX} bytes and returns how many: 0 if there is no room yet. */
  int send(byte[] source, int offset, int length) throws IOException;

  /** Returns how many bytes can be received at once. */
  int available() throws IOException;

  void shutdownInput() throws IOException;

  void shutdownOutput() throws IOException;

  /** Sets an option to a value that {@link IntOption#toInt} has returned. */
  void set(IntOption option, int value) throws SocketException;

  /** Returns the value of an option as the JDK's sockets do: a Boolean or an Integer. */
  Object get(IntOption option) throws SocketException;

  /** Returns true if {@link #poll} waits, so that a platform thread needs no loop. */
  boolean polls();

  /**
   * Waits in the system until the socket is ready, has failed, or was shut down, or the time is
   * over.
   *
   * @param nanos negative for no bound
   */
  void poll(boolean toRead, long nanos) throws IOException;

  /** Returns true if {@link #poll} would not wait. */
  boolean isReady(boolean toRead) throws IOException;

  /** Ends the calls of others that wait in the system. */
  void endPolls();

  /** Returns true if a close would not linger yet, because a loop still knows the socket. */
  boolean isWatched();

  /** Closes the socket, after the last call. Doesn't throw. */
  void close();
}
