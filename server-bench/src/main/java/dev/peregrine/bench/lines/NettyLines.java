package dev.peregrine.bench.lines;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** A server of Netty's with one loop, which finds the lines of uploads. */
final class NettyLines implements AutoCloseable {
  private static final int PIECE_BYTES_MAX = 64 * 1024; // not cut below what a read receives

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final InetSocketAddress address;

  /**
   * Starts the server.
   *
   * @param lineBytesMax the largest line in bytes
   */
  NettyLines(int lineBytesMax) {
    address =
        (InetSocketAddress)
            new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(
                    new ChannelInitializer<Channel>() {
                      @Override
                      protected void initChannel(Channel channel) {
                        channel
                            .pipeline()
                            .addLast(
                                new HttpServerCodec(4096, 8192, PIECE_BYTES_MAX),
                                new Contents(),
                                new LineBasedFrameDecoder(lineBytesMax),
                                new Summing());
                      }
                    })
                .bind("127.0.0.1", 0)
                .syncUninterruptibly()
                .channel()
                .localAddress();
  }

  InetSocketAddress address() {
    return address;
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  /** Takes the bytes out of messages of HTTP. The end of the content follows them. */
  private static final class Contents extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof HttpContent part) {
        context.fireChannelRead(part.content());
      }
      if (message instanceof LastHttpContent) {
        context.fireChannelRead(LastHttpContent.EMPTY_LAST_CONTENT);
      }
    }
  }

  /** Sums the lengths of lines up, and responds with the sum at the end of the content. */
  private static final class Summing extends ChannelInboundHandlerAdapter {
    private long length;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof ByteBuf line) {
        length += line.readableBytes() + 1L;
        line.release();
        return;
      }
      ByteBuf text = ByteBufUtil.writeAscii(context.alloc(), Long.toString(length));
      length = 0;
      DefaultFullHttpResponse response =
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, text);
      response.headers().set(HttpHeaderNames.CONTENT_LENGTH, text.readableBytes());
      ChannelFuture _ = context.writeAndFlush(response);
    }
  }
}
