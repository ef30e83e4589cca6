#include "go_asm.h"
#include "textflag.h"

// func pullAVX2(args *pullArgs) pulled
//
// Y0, Y1: union of the frontier; Y2, Y3: full; Y4, Y5: seen; Y15: zero
// R8: cur, R9: nxt, R10: seen, R11: mask, R12: in, R13: to, R15: out,
// DI: vertices left, SI: tails of the vertex, CX: tails left
TEXT ·pullAVX2(SB), NOSPLIT, $16-24
	MOVQ args+0(FP), AX
	MOVQ pullArgs_cur(AX), R8
	MOVQ pullArgs_nxt(AX), R9
	MOVQ pullArgs_seen(AX), R10
	MOVQ pullArgs_full(AX), CX
	VMOVDQU (CX), Y2
	VMOVDQU 32(CX), Y3
	MOVQ pullArgs_mask(AX), R11
	MOVQ pullArgs_in(AX), R12
	MOVQ pullArgs_to(AX), R13
	MOVQ pullArgs_out(AX), R15
	MOVQ pullArgs_n(AX), DI
	VPXOR Y15, Y15, Y15
	MOVQ $0, ret_reached+8(FP)
	MOVQ $0, ret_work+16(FP)

vertex:
	VMOVDQU (R10), Y4
	VMOVDQU 32(R10), Y5
	VPANDN  Y2, Y4, Y0
	VPANDN  Y3, Y5, Y1
	VPOR    Y0, Y1, Y0
	VPTEST  Y0, Y0
	JZ      nothing

	MOVQ  (R12), AX
	MOVQ  8(R12), CX
	LEAQ  (R13)(AX*4), SI
	SUBQ  AX, CX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	JZ    nothing

tail:
	MOVLQSX    (SI), AX
	MOVLQSX    128(SI), BX // pullAhead arcs ahead
	SHLQ       $6, AX
	SHLQ       $6, BX
	PREFETCHT0 (R8)(BX*1)
	VPOR       (R8)(AX*1), Y0, Y0
	VPOR       32(R8)(AX*1), Y1, Y1
	ADDQ       $4, SI
	DECQ       CX
	JNZ        tail

	VPANDN   Y0, Y4, Y0
	VPANDN   Y1, Y5, Y1
	VPCMPEQQ Y0, Y15, Y6
	VPCMPEQQ Y1, Y15, Y7
	VMOVMSKPD Y6, AX
	VMOVMSKPD Y7, BX
	SHLL     $4, BX
	ORL      BX, AX
	XORL     $0xff, AX
	JZ       nothing

	MOVB    AX, (R11)
	VMOVDQU Y0, (R9)
	VMOVDQU Y1, 32(R9)
	VPOR    Y0, Y4, Y4
	VPOR    Y1, Y5, Y5
	VMOVDQU Y4, (R10)
	VMOVDQU Y5, 32(R10)

	POPCNTL AX, AX
	MOVQ    8(R15), BX
	SUBQ    (R15), BX
	IMULQ   AX, BX
	ADDQ    BX, ret_work+16(FP)

	POPCNTQ (R9), AX
	POPCNTQ 8(R9), BX
	POPCNTQ 16(R9), CX
	POPCNTQ 24(R9), DX
	ADDQ    BX, AX
	ADDQ    DX, CX
	ADDQ    CX, AX
	POPCNTQ 32(R9), BX
	POPCNTQ 40(R9), CX
	POPCNTQ 48(R9), DX
	ADDQ    BX, AX
	ADDQ    DX, CX
	POPCNTQ 56(R9), BX
	ADDQ    CX, AX
	ADDQ    BX, AX
	ADDQ    AX, ret_reached+8(FP)
	JMP     next

nothing:
	MOVB    $0, (R11)
	VMOVDQU Y15, (R9)
	VMOVDQU Y15, 32(R9)

next:
	ADDQ $64, R9
	ADDQ $64, R10
	INCQ R11
	ADDQ $8, R12
	ADDQ $8, R15
	DECQ DI
	JNZ  vertex

	VZEROUPPER
	RET

// func pullAVX512(args *pullArgs) pulled
//
// Z0: union of the frontier; Z2: full; Z4: seen; Z14: counts of Z0; Z15: zero;
// the others as above
TEXT ·pullAVX512(SB), NOSPLIT, $64-24
	MOVQ      args+0(FP), AX
	MOVQ      pullArgs_cur(AX), R8
	MOVQ      pullArgs_nxt(AX), R9
	MOVQ      pullArgs_seen(AX), R10
	MOVQ      pullArgs_full(AX), CX
	VMOVDQU64 (CX), Z2
	MOVQ      pullArgs_mask(AX), R11
	MOVQ      pullArgs_in(AX), R12
	MOVQ      pullArgs_to(AX), R13
	MOVQ      pullArgs_out(AX), R15
	MOVQ      pullArgs_n(AX), DI
	VPXORQ    Z14, Z14, Z14
	VPXORQ    Z15, Z15, Z15
	XORQ      DX, DX // work

vertex:
	VMOVDQU64 (R10), Z4
	VPANDNQ   Z2, Z4, Z0
	VPTESTMQ  Z0, Z0, K1
	KMOVW     K1, AX
	TESTL     AX, AX
	JZ        nothing

	MOVQ   (R12), AX
	MOVQ   8(R12), CX
	LEAQ   (R13)(AX*4), SI
	VPXORQ Z0, Z0, Z0
	SUBQ   AX, CX
	JZ     nothing

tail:
	MOVLQSX    (SI), AX
	MOVLQSX    128(SI), BX // pullAhead arcs ahead
	SHLQ       $6, AX
	SHLQ       $6, BX
	PREFETCHT0 (R8)(BX*1)
	VPORQ      (R8)(AX*1), Z0, Z0
	ADDQ       $4, SI
	DECQ       CX
	JNZ        tail

	VPANDNQ  Z0, Z4, Z0
	VPTESTMQ Z0, Z0, K1
	KMOVW    K1, AX
	TESTL    AX, AX
	JZ       nothing

	MOVB      AX, (R11)
	VMOVDQU64 Z0, (R9)
	VPORQ     Z0, Z4, Z4
	VMOVDQU64 Z4, (R10)
	VPOPCNTQ  Z0, Z5
	VPADDQ    Z5, Z14, Z14

	POPCNTL AX, AX
	MOVQ    8(R15), BX
	SUBQ    (R15), BX
	IMULQ   AX, BX
	ADDQ    BX, DX
	JMP     next

nothing:
	MOVB      $0, (R11)
	VMOVDQU64 Z15, (R9)

next:
	ADDQ $64, R9
	ADDQ $64, R10
	INCQ R11
	ADDQ $8, R12
	ADDQ $8, R15
	DECQ DI
	JNZ  vertex

	VMOVDQU64 Z14, counts-64(SP)
	MOVQ      counts-64(SP), AX
	ADDQ      counts-56(SP), AX
	ADDQ      counts-48(SP), AX
	ADDQ      counts-40(SP), AX
	ADDQ      counts-32(SP), AX
	ADDQ      counts-24(SP), AX
	ADDQ      counts-16(SP), AX
	ADDQ      counts-8(SP), AX
	MOVQ      AX, ret_reached+8(FP)
	MOVQ      DX, ret_work+16(FP)
	VZEROUPPER
	RET
